import type { AccountFacts, ConnectContext, Tokens } from '../contract.ts';
import { PlatformError } from '../kit/failure.ts';
import { textAt } from '../kit/json.ts';
import { call, isUsedUp } from './api.ts';
import { capabilities } from './limits.ts';

const FIELDS = 'id,username,name,threads_profile_picture_url';

/**
 * Who the profile is. How much it may post is asked as well, since only that tells whether posting was allowed.
 * @throws PlatformError `reconnect` where it was not
 */
export async function identify(context: ConnectContext, { secret }: Tokens): Promise<AccountFacts> {
  const caller = { http: context.http, endpoints: context.endpoints, secret };
  const me = await call(caller, 'GET', '/me', { fields: FIELDS });
  const remoteId = textAt(me, 'id');
  await mayPost(caller, remoteId);
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

/** A profile that may not post at present is a profile all the same; one that we may not post for is none of ours. */
async function mayPost(caller: Parameters<typeof isUsedUp>[0], remoteId: string): Promise<void> {
  try {
    await isUsedUp(caller, remoteId);
  } catch (error) {
    const kind = error instanceof PlatformError ? error.failure.kind : null;
    if (kind !== 'rateLimited' && kind !== 'rejected' && kind !== 'setup') throw error;
  }
}
