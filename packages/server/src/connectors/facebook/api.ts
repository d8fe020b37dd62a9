/** Calls of the Graph API, and the tokens of Pages. */
import { createHmac } from 'node:crypto';
import type { Json, Session } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { PlatformError } from '../kit/failure.ts';
import { at, textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';

/** The one version of the Graph API that this folder is written for. */
export const VERSION = 'v25.0';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'app'>;

/** An answer that was no refusal. */
export interface Said {
  body: Json;
  /** ms since the epoch by Facebook's clock; null where it did not say */
  saidAt: number | null;
}

/** The body of {@link say}. @throws PlatformError */
export async function graph(...request: Parameters<typeof say>): Promise<Json> {
  return (await say(...request)).body;
}

/** One call. Success is an object without `error`, whatever the status. @throws PlatformError */
export async function say(
  caller: Caller,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  token: string,
  parameters: Record<string, string> = {},
): Promise<Said> {
  const all = signed(caller, token, parameters);
  const url = `${caller.endpoints.graph}/${VERSION}${path}`;
  const answer = await caller.http(
    method === 'POST' ? { method, url, form: all } : { method, url: `${url}?${new URLSearchParams(all)}` },
  );
  const body = answer.tryJson();
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body);
  if (answer.status !== 200 || !isObject || at(body, 'error') !== undefined) throw new PlatformError(failureOf(answer));
  return { body, saidAt: saidAt(answer) };
}

/**
 * Parameters with the token and, where there is a secret, the proof that we know it: applications may be set to demand
 * one ("Securing Graph API Requests").
 */
export function signed(
  { app }: Pick<Caller, 'app'>,
  token: string,
  parameters: Record<string, string>,
): Record<string, string> {
  const proof = app ? createHmac('sha256', app.clientSecret).update(token).digest('hex') : null;
  return { ...parameters, access_token: token, ...(proof ? { appsecret_proof: proof } : {}) };
}

/** The Page's token that the consent left with us; "" where it left none. */
export function keptPageToken(secret: Session['secret'], pageId: string): string {
  return textAt(secret, 'pages', pageId);
}

/** The Page's token that the connection has now; one from a checkpoint may be older than a new consent. */
export function currentToken({ secret, remoteId }: Pick<Session, 'secret' | 'remoteId'>, pageToken: string): string {
  return keptPageToken(secret, remoteId) || pageToken;
}

/**
 * The Page's token as Facebook gives it now: asked for with the one that we have, else with the login's own.
 * @throws PlatformError `tokenExpired` where neither is accepted
 */
export async function askPageToken(session: Session): Promise<string> {
  const kept = keptPageToken(session.secret, session.remoteId);
  if (!kept) return readPageToken(session, textAt(session.secret, 'accessToken'));
  try {
    return (await readPageToken(session, kept)) || kept;
  } catch (error) {
    if (!isDeadToken(error)) throw error;
    return readPageToken(session, textAt(session.secret, 'accessToken'));
  }
}

async function readPageToken(session: Session, token: string): Promise<string> {
  const found = await graph(session, 'GET', `/${session.remoteId}`, token, { fields: 'access_token' });
  const given = textAt(found, 'access_token');
  if (given) return given;
  throw new PlatformError({
    kind: 'reconnect',
    detail: 'The login may no longer act for this Page. Connect it again with somebody who may post there.',
  });
}

/**
 * Acts as the Page: with the token that the connection has now, which may be newer than the one of the checkpoint; then
 * with that; where both are dead, with the one that the login gives. @param pageToken "": only a new one will do
 * @throws PlatformError
 */
export async function asPage<T>(
  session: Session,
  pageToken: string,
  act: (token: string) => Promise<T>,
): Promise<{ value: T; pageToken: string }> {
  for (const token of pageToken ? new Set([currentToken(session, pageToken), pageToken]) : []) {
    try {
      return { value: await act(token), pageToken: token };
    } catch (error) {
      if (!isDeadToken(error)) throw error;
    }
  }
  const fresh = await readPageToken(session, textAt(session.secret, 'accessToken'));
  return { value: await act(fresh), pageToken: fresh };
}

export function isDeadToken(error: unknown): boolean {
  return error instanceof PlatformError && error.failure.kind === 'tokenExpired';
}

/** Whether Facebook does not have an object, or does not show it to us. */
export function isGone(error: unknown): boolean {
  return error instanceof PlatformError && error.failure.platformCode === '100/33';
}
