/** Threads API calls, and the profile of a token. */
import type { AccountFacts, ConnectContext, Session, Tokens } from '../contract.ts';
import { isFailure } from '../kit/failures.ts';
import { type GraphApi, graphApi, isQuotaUsed } from '../kit/graph-api.ts';
import { textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';
import { capabilities } from './limits.ts';

export function apiOf({
  http,
  endpoints,
  secret,
  now,
}: Pick<Session, 'http' | 'endpoints' | 'secret' | 'now'>): GraphApi {
  return graphApi({ http, base: `${endpoints.graph}/v1.0`, token: textAt(secret, 'accessToken'), now, failureOf });
}

/** Whether the daily posts are used up, by Threads' own count. @throws PlatformError */
export function isUsedUp(api: GraphApi, profileId: string): Promise<boolean> {
  return isQuotaUsed(api, `${profileId}/threads_publishing_limit`);
}

const FIELDS = 'id,username,name,threads_profile_picture_url';

/**
 * Reads the profile. Also queries the posting limit, because only that call shows whether posting was permitted.
 * @throws PlatformError `reconnect` if it was not
 */
export async function identify(context: ConnectContext, { secret }: Tokens): Promise<AccountFacts> {
  const api = apiOf({ ...context, secret });
  const me = await api.get('me', { fields: FIELDS });
  const remoteId = textAt(me, 'id');
  await checkPermission(api, remoteId);
  const username = textAt(me, 'username');
  return {
    remoteId,
    username,
    displayName: textAt(me, 'name') || username,
    avatarUrl: textAt(me, 'threads_profile_picture_url'),
    capabilities,
    fetchesMedia: true,
  };
}

/** Accepts a profile that currently may not post. Throws if we have no permission to post for it. */
async function checkPermission(api: GraphApi, remoteId: string): Promise<void> {
  try {
    await isUsedUp(api, remoteId);
  } catch (error) {
    if (!isFailure(error, 'rateLimited', 'rejected', 'setup')) throw error;
  }
}
