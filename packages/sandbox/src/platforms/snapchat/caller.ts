/** Authenticates the caller and finds the profile. */
import { bearerToken } from '../../http/parameters.ts';
import type { CallerHandler, Handler } from '../../http/routes.ts';
import { ownerOfToken } from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import { type Grant, type Profile, SCOPE, settingsOf } from './records.ts';
import { denied, deniedInHeaders, unauthorized } from './responses.ts';

export interface Caller {
  profile: Profile;
  grantId: string;
}

/** Wraps a handler that requires a token. A profile in its path (`:pid`) must be the token's own. */
export function asCaller(handler: CallerHandler<Caller>): Handler {
  return async (options, request) => {
    const token = bearerToken(request);
    const owner = await ownerOfToken<Profile, Grant>(options, token, ({ profileId }) => ['profile', profileId]);
    if (!owner) throw new Refused(unauthorized());
    const { account: profile, grantId, scopes } = owner;
    const { allowlisted, forbidden } = await settingsOf(options);
    if (!allowlisted) throw new Refused(forbidden === 'empty' ? deniedInHeaders() : denied());
    const { pid = profile.id, org = profile.organizationId } = request.params;
    if (pid !== profile.id || org !== profile.organizationId || !scopes.includes(SCOPE)) throw new Refused(denied());
    return handler(options, request, { profile, grantId });
  };
}
