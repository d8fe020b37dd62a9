/** Graph API calls and Page tokens. */
import { createHmac } from 'node:crypto';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Json, Session } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { reconnect } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';

/** Graph API version that this connector is written for. */
export const VERSION = 'v25.0';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'app'>;

/** A successful response. */
export interface Said {
  body: Json;
  /** Time of the response by Facebook's clock, ms since the epoch; null if not stated. */
  saidAt: number | null;
}

/** The body returned by {@link say}. @throws PlatformError */
export async function graph(...request: Parameters<typeof say>): Promise<Json> {
  return (await say(...request)).body;
}

/** Calls the Graph API. Success is status 200 with an object without `error`. @throws PlatformError */
export async function say(
  caller: Caller,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  token: string,
  parameters: Record<string, string> = {},
): Promise<Said> {
  const all = signed(caller, token, parameters);
  const url = `${caller.endpoints.graph}/${VERSION}${path}`;
  const response = await caller.http(
    method === 'POST' ? { method, url, form: all } : { method, url: `${url}?${new URLSearchParams(all)}` },
  );
  const body = response.tryJson();
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body);
  if (response.status !== 200 || !isObject || at(body, 'error') !== undefined)
    throw new PlatformError(failureOf(response));
  return { body, saidAt: saidAt(response) };
}

/**
 * Adds the token and, if there is an app secret, `appsecret_proof`. Apps can require the proof ("Securing Graph API
 * Requests").
 */
export function signed(
  { app }: Pick<Caller, 'app'>,
  token: string,
  parameters: Record<string, string>,
): Record<string, string> {
  const proof = app ? createHmac('sha256', app.clientSecret).update(token).digest('hex') : null;
  return { ...parameters, access_token: token, ...(proof ? { appsecret_proof: proof } : {}) };
}

/** The Page token stored at consent, or "". */
export function storedPageToken(secret: Session['secret'], pageId: string): string {
  return textAt(secret, 'pages', pageId);
}

/** The connection's current Page token. The one in a checkpoint may predate a new consent. */
export function currentToken({ secret, remoteId }: Pick<Session, 'secret' | 'remoteId'>, pageToken: string): string {
  return storedPageToken(secret, remoteId) || pageToken;
}

/**
 * Fetches the current Page token, with the stored Page token or else the login's token.
 * @throws PlatformError `tokenExpired` if neither is accepted
 */
export async function askPageToken(session: Session): Promise<string> {
  const kept = storedPageToken(session.secret, session.remoteId);
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
  throw new PlatformError(
    reconnect('The login may no longer act for this Page. Connect it again with somebody who may post there.'),
  );
}

/**
 * Acts as the Page. Tries the connection's current token, then the checkpoint's, then a new one from the login.
 * @param pageToken "" forces a new token
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

/** Whether Facebook does not have an object or does not show it to us. */
export function isGone(error: unknown): boolean {
  return error instanceof PlatformError && error.failure.platformCode === '100/33';
}
