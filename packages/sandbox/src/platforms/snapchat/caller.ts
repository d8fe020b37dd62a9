/** Authenticates the caller and finds the profile, for all routes that require a token. */
import type { Route, SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { denied, Refused, unauthorised } from './answers.ts';
import { type Grant, type Profile, SCOPE, settingsOf, type TokenRecord } from './records.ts';

export interface Caller {
  profile: Profile;
  grantId: string;
}

/** Creates a route that converts a thrown {@link Refused} to its response. */
export function route(
  method: Route['method'],
  path: string,
  handle: (request: SimulatorRequest) => Promise<SimulatorAnswer>,
): Route {
  return {
    method,
    path,
    async handle(request) {
      try {
        return await handle(request);
      } catch (error) {
        if (error instanceof Refused) return error.answer;
        throw error;
      }
    },
  };
}

/** Creates a route that requires a token. A profile in its path (`:pid`) must be the token's own. */
export function asCaller(
  options: SimulatorOptions,
  [method, path]: [Route['method'], string],
  handle: (request: SimulatorRequest, caller: Caller) => Promise<SimulatorAnswer>,
): Route {
  return route(method, path, async (request) => {
    const { books, now } = options;
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const record = await books.get<TokenRecord>('access', token);
    const grant = record && record.expiresAt > now() ? await books.get<Grant>('grant', record.grantId) : undefined;
    const profile = grant && !grant.dead ? await books.get<Profile>('profile', grant.profileId) : undefined;
    if (!record || !grant || !profile) throw new Refused(unauthorised());
    const { allowlisted, forbidden } = await settingsOf(options);
    if (!allowlisted) throw new Refused(forbidden === 'empty' ? { status: 403 } : denied());
    const { pid, org } = request.params;
    const strange = (pid !== undefined && pid !== profile.id) || (org !== undefined && org !== profile.organizationId);
    if (strange || !grant.scopes.includes(SCOPE)) throw new Refused(denied());
    return handle(request, { profile, grantId: record.grantId });
  });
}
