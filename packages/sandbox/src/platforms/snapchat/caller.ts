/** Authenticates the caller and finds the profile, for all routes that require a token. */
import type { Route, SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { Refused } from '../../http/refused.ts';
import { liveGrant } from '../../oauth/tokens.ts';
import { denied, unauthorised } from './answers.ts';
import { type Grant, type Profile, SCOPE, settingsOf } from './records.ts';

export interface Caller {
  profile: Profile;
  grantId: string;
}

/** Creates a route that requires a token. A profile in its path (`:pid`) must be the token's own. */
export function asCaller(
  options: SimulatorOptions,
  [method, path]: [Route['method'], string],
  handle: (request: SimulatorRequest, caller: Caller) => Promise<SimulatorResponse>,
): Route {
  return {
    method,
    path,
    async handle(request) {
      const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      const live = await liveGrant<Grant>(options, token);
      const profile = live && (await options.books.get<Profile>('profile', live.grant.profileId));
      if (!profile) throw new Refused(unauthorised());
      const { allowlisted, forbidden } = await settingsOf(options);
      if (!allowlisted) throw new Refused(forbidden === 'empty' ? { status: 403 } : denied());
      const { pid = profile.id, org = profile.organizationId } = request.params;
      const strange = pid !== profile.id || org !== profile.organizationId;
      if (strange || !live.grant.scopes.includes(SCOPE)) throw new Refused(denied());
      return handle(request, { profile, grantId: live.grantId });
    },
  };
}
