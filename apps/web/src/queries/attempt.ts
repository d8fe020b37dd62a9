/** The pending attempt of this browser to connect an account, stored while the user is on the platform's pages. */
import type { ConnectAttempt, ConnectRequest, ReelayClient } from '@reelay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { attemptKeys } from './keys.ts';

/** The request body of another attempt. It contains no secret: attempts with a secret have no consent page. */
export type StartedRequest = Omit<ConnectRequest, 'secret' | 'choices'>;

export interface StartedAttempt {
  id: string;
  request: StartedRequest;
  /** Id of the post to retry on the account once it is reconnected. */
  retryPost?: string;
}

/**
 * `waiting`: the user has not returned yet. `denied`: the user refused, here or at the platform. `expired`: unfinished
 * in time.
 */
export type AttemptState = 'waiting' | 'connected' | 'denied' | 'failed' | 'expired';

/** Time limit of each part of an attempt, in ms. */
const PART_MS = 600_000;

/** Error codes of platforms for a denied consent (RFC 6749, 4.1.2.1, and variants). */
const DENIED = /^(?:access_denied|user_denied|user_cancelled_\w+)$/;

/** The outcome of an attempt, with the service's message. Pure. @param now ms since the epoch */
export function attemptState({ steps }: Pick<ConnectAttempt, 'steps'>, now: number): [AttemptState, string] {
  const last = steps.at(-1);
  if (!last) return ['waiting', ''];
  if (last.step === 'stored' && last.ok) return ['connected', last.text];
  if (!last.ok) {
    // The service's confirmation page reports a cancellation as a success.
    const isDenied = DENIED.test(last.platformCode ?? '') || (last.step === 'begun' && last.status === 200);
    return [isDenied ? 'denied' : last.status === 410 ? 'expired' : 'failed', last.text];
  }
  return [now - Date.parse(last.at) > PART_MS ? 'expired' : 'waiting', ''];
}

/** Polls every few seconds while the user may be on the platform's page in another tab. */
export const attemptQuery = (client: ReelayClient, id: string) =>
  queryOptions({
    queryKey: attemptKeys.one(id),
    queryFn: () => client.platforms.attempt(id),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && attemptState(data, Date.now())[0] === 'waiting' ? 3_000 : false),
  });

const KEY = 'reelay.connect';

/** Parses the stored attempt; null if it is missing or invalid. Pure. */
export function parseAttempt(text: string | null): StartedAttempt | null {
  try {
    const { id, request, retryPost } = JSON.parse(text ?? 'null') as StartedAttempt;
    if (typeof id !== 'string' || typeof request.platform !== 'string') return null;
    return { id, request, ...(typeof retryPost === 'string' ? { retryPost } : {}) };
  } catch {
    return null;
  }
}

/** The last attempt of this browser that was not dismissed. */
export function loadAttempt(): StartedAttempt | null {
  try {
    return parseAttempt(window.localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

/** @param attempt null deletes it. Does nothing if the browser's storage is unavailable. */
export function storeAttempt(attempt: StartedAttempt | null): void {
  try {
    if (attempt) window.localStorage.setItem(KEY, JSON.stringify(attempt));
    else window.localStorage.removeItem(KEY);
  } catch {
    // Without storage, only the notice is missing. The service's callback page shows the result.
  }
}
