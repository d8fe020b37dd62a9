/** Graph API calls and Page tokens. */
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject, Session } from '../contract.ts';
import { isFailure, nullIf, reconnect } from '../kit/failures.ts';
import { GONE, type GraphApi, graphApi } from '../kit/graph-api.ts';
import { textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';
import { say } from './messages.ts';

/** Graph API version that this connector is written for. */
export const VERSION = 'v25.0';

export function apiOf(
  { http, endpoints, app, now }: Pick<Session, 'http' | 'endpoints' | 'app' | 'now'>,
  token: string,
): GraphApi {
  return graphApi({ http, base: `${endpoints.graph}/${VERSION}`, token, app, now, failureOf });
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
export async function fetchPageToken(session: Session): Promise<string> {
  const stored = storedPageToken(session.secret, session.remoteId);
  if (!stored) return readPageToken(session);
  try {
    // The documentation shows this call for a user token. With the Page's own, it proves that the Page can be read.
    return (await tokenIn(session, stored)) || stored;
  } catch (error) {
    if (!isFailure(error, 'tokenExpired')) throw error;
    return readPageToken(session);
  }
}

/** Returns the Page token as the caller of this token sees it; "" if it is not shown. @throws PlatformError */
async function tokenIn(session: Session, token: string): Promise<string> {
  return textAt(await apiOf(session, token).get(session.remoteId, { fields: 'access_token' }), 'access_token');
}

async function readPageToken(session: Session): Promise<string> {
  const pageToken = await tokenIn(session, textAt(session.secret, 'accessToken'));
  if (!pageToken) throw new PlatformError(reconnect(say('page_not_allowed')));
  return pageToken;
}

/**
 * Reads a video as the Page. Meta at times answers 100/33 to a valid Page token for an object that the person's token
 * shows. @returns null as `value` if Facebook does not show it
 * @param asPerson whether the person's token is tried then @throws PlatformError
 */
export async function readVideo(
  session: Session,
  pageToken: string,
  { id, fields, asPerson }: { id: string; fields: string; asPerson: boolean },
): Promise<{ value: JsonObject | null; pageToken: string }> {
  const read = await asPage(session, pageToken, (api) =>
    api.get(id, { fields }).catch(nullIf(({ platformCode }) => platformCode === GONE)),
  );
  const token = textAt(session.secret, 'accessToken');
  if (read.value || !asPerson || !token) return read;
  const isNo = ({ kind }: Failure) => kind !== 'transient' && kind !== 'rateLimited';
  return { ...read, value: await apiOf(session, token).get(id, { fields }).catch(nullIf(isNo)) };
}

/**
 * Acts as the Page. Tries the connection's current token, then the checkpoint's, then a new one from the login.
 * @param pageToken "" forces a new token
 * @throws PlatformError
 */
export async function asPage<T>(
  session: Session,
  pageToken: string,
  act: (api: GraphApi) => Promise<T>,
): Promise<{ value: T; pageToken: string }> {
  for (const token of pageToken ? new Set([currentToken(session, pageToken), pageToken]) : []) {
    try {
      return { value: await act(apiOf(session, token)), pageToken: token };
    } catch (error) {
      if (!isFailure(error, 'tokenExpired')) throw error;
    }
  }
  const fresh = await readPageToken(session);
  return { value: await act(apiOf(session, fresh)), pageToken: fresh };
}
