/** Identifies the public profile of a token. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Tokens } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { call, callerOf } from './api.ts';
import { capabilities } from './limits.ts';

/** Reads the public profile of the token's account. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const profile = profileIn(await call(callerOf(context, tokens.secret), 'GET', '/v1/public_profiles/my_profile'));
  const remoteId = textAt(profile, 'id');
  if (!/^[\w-]+$/.test(remoteId))
    throw new PlatformError({
      kind: 'setup',
      detail: 'The account has no public profile; only those can be posted to.',
    });
  const displayName = textAt(profile, 'display_name');
  const username = textAt(profile, 'snap_user_name') || displayName || remoteId;
  return {
    remoteId,
    username,
    displayName: displayName || username,
    avatarUrl: textAt(profile, 'logo_urls', 'original_logo_url'),
    capabilities,
  };
}

/** Extracts the profile from a single object or from a list whose entries have their own status; both forms occur. */
export function profileIn(body: unknown): unknown {
  const alone = at(body, 'public_profile');
  if (alone !== undefined) return alone;
  const listed = at(body, 'public_profiles');
  const found = Array.isArray(listed) ? listed.filter((each) => isGood(each)) : [];
  return at(found[0], 'public_profile') ?? found[0];
}

/** Whether a list entry is valid. It may have its own status. */
export function isGood(entry: unknown): boolean {
  const status = textAt(entry, 'sub_request_status');
  return status === '' || status === 'SUCCESS';
}
