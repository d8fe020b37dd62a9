/** Graph API calls and Page tokens. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Session } from '../contract.ts';
import { isFailure, reconnect } from '../kit/failures.ts';
import { type GraphApi, graphApi } from '../kit/graph-api.ts';
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
