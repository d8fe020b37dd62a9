/** Reads the profile of a token. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Tokens } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { call, isUsedUp } from './api.ts';
import { capabilities } from './limits.ts';

const FIELDS = 'id,username,name,threads_profile_picture_url';

/**
 * Reads the profile. Also queries the posting limit, because only that call shows whether posting was permitted.
 * @throws PlatformError `reconnect` if it was not
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

/** Accepts a profile that currently may not post. Throws if we have no permission to post for it. */
async function mayPost(caller: Parameters<typeof isUsedUp>[0], remoteId: string): Promise<void> {
  try {
    await isUsedUp(caller, remoteId);
  } catch (error) {
    const kind = error instanceof PlatformError ? error.failure.kind : null;
    if (kind !== 'rateLimited' && kind !== 'rejected' && kind !== 'setup') throw error;
  }
}
