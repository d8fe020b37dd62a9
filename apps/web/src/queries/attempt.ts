/** The attempt to connect an account that this browser started, kept while the user is at the platform's own pages. */
import type { ConnectAttempt, ConnectRequest, ReelayClient } from '@reelay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { attemptKeys } from './keys.ts';

/** What is sent again to try again. It never contains a secret: attempts with one have no page at the platform. */
export type StartedRequest = Omit<ConnectRequest, 'secret' | 'choices'>;

export interface StartedAttempt {
  id: string;
  request: StartedRequest;
}

/**
 * `waiting`: the user has not come back yet. `denied`: the user said no, here or there. `expired`: it was not finished
 * in time.
 */
export type AttemptState = 'waiting' | 'connected' | 'denied' | 'failed' | 'expired';

/** How long each part of an attempt may take, in ms. */
const PART_MS = 600_000;

/** The codes by which platforms say that the user denied the consent (RFC 6749, 4.1.2.1, and variants). */
const DENIED = /^(?:access_denied|user_denied|user_cancelled_\w+)$/;

/** The outcome of an attempt, with the service's words. Pure. @param now ms since the epoch */
export function attemptState({ steps }: Pick<ConnectAttempt, 'steps'>, now: number): [AttemptState, string] {
  const last = steps.at(-1);
  if (!last) return ['waiting', ''];
  if (last.step === 'stored' && last.ok) return ['connected', last.text];
  if (!last.ok) {
    // The service's own confirmation page answers a cancellation with success.
    const isDenied = DENIED.test(last.platformCode ?? '') || (last.step === 'begun' && last.status === 200);
    return [isDenied ? 'denied' : last.status === 410 ? 'expired' : 'failed', last.text];
  }
  return [now - Date.parse(last.at) > PART_MS ? 'expired' : 'waiting', ''];
}

/** Reads again every few seconds while the user may be at the platform in another tab. */
export const attemptQuery = (client: ReelayClient, id: string) =>
  queryOptions({
    queryKey: attemptKeys.one(id),
    queryFn: () => client.platforms.attempt(id),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && attemptState(data, Date.now())[0] === 'waiting' ? 3_000 : false),
  });

const KEY = 'reelay.connect';

/** Reads what was stored; null if there is nothing, or something else. Pure. */
export function parseAttempt(text: string | null): StartedAttempt | null {
  try {
    const { id, request } = JSON.parse(text ?? 'null') as StartedAttempt;
    return typeof id === 'string' && typeof request.platform === 'string' ? { id, request } : null;
  } catch {
    return null;
  }
}

/** The attempt that this browser started last and did not dismiss. */
export function loadAttempt(): StartedAttempt | null {
  try {
    return parseAttempt(window.localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

/** @param attempt null forgets it. Does nothing if the browser stores nothing. */
export function storeAttempt(attempt: StartedAttempt | null): void {
  try {
    if (attempt) window.localStorage.setItem(KEY, JSON.stringify(attempt));
    else window.localStorage.removeItem(KEY);
  } catch {
    // Without storage, the notice is missing; the platform's own pages still say what happened.
  }
}
