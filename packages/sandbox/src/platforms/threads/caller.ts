/** Authenticates callers and parses their parameters. */
import type { SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { isDown } from '../../faults/requested.ts';
import { fieldsIn, pickFields as pick } from '../../graph/parameters.ts';
import { bearerToken } from '../../http/parameters.ts';
import type { CallerHandler, Handler } from '../../http/routes.ts';
import type { Json, JsonObject } from '../../json.ts';
import { Refused } from '../../refused.ts';
import type { Grant, Profile, TokenRecord } from './records.ts';
import { invalidToken, refuse, unavailable } from './responses.ts';

type Fields = Readonly<Record<string, Json | undefined>>;

export interface Caller {
  token: string;
  record: TokenRecord;
  grant: Grant;
  profile: Profile;
  parameters: Map<string, string>;
}

/** The query, overridden by the form of a POST. */
export async function parametersOf(request: SimulatorRequest): Promise<Map<string, string>> {
  const found = new Map(request.query);
  if (request.method === 'POST') for (const [name, value] of await request.form()) found.set(name, value);
  return found;
}

/** Wraps a handler. It gets a call whose token is valid and has the scopes. */
export function asCaller(scopes: readonly string[], handler: CallerHandler<Caller>): Handler {
  return async (options, request) => {
    const parameters = await parametersOf(request);
    const token = parameters.get('access_token') ?? bearerToken(request);
    const { record, grant } = await liveToken(options, token);
    const profile = await options.store.get<Profile>('profile', grant.profileId);
    if (!profile) refuse({ code: 190, message: 'Error validating access token.' });
    if (await isDown(options.store, profile.id)) throw new Refused(unavailable());
    const missing = scopes.filter((scope) => !grant.scopes.includes(scope));
    if (missing.length > 0)
      refuse({ code: 10, message: `Application does not have permission for this action (${missing.join(', ')})` });
    return handler(options, request, { token, record, grant, profile, parameters });
  };
}

/** @throws Refused if the token is missing, invalid or expired */
export async function liveToken(
  options: SimulatorOptions,
  token: string,
): Promise<{ record: TokenRecord; grant: Grant }> {
  const record = token ? await options.store.get<TokenRecord>('token', token) : undefined;
  const grant = record && (await options.store.get<Grant>('grant', record.grantId));
  if (!grant) refuse({ code: 190, message: 'Invalid OAuth access token - Cannot parse access token' });
  if (grant.dead !== null) throw new Refused(invalidToken(grant.dead, 'The session was invalidated.'));
  if (record.expiresAt <= options.now()) throw new Refused(invalidToken(463, 'Session has expired.'));
  return { record, grant };
}

/** Requires the path's profile to be the caller's own. @throws Refused */
export function ownProfile({ profile }: Caller, id: string | undefined): void {
  if (id !== 'me' && id !== profile.id) refuse(noSuchObject(id ?? ''));
}

export function noSuchObject(id: string) {
  return {
    code: 100,
    subcode: 33,
    type: 'GraphMethodException',
    message: `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
  };
}

/** The requested fields, by default the id. @throws Refused for an unknown field */
export function pickFields({ parameters }: Pick<Caller, 'parameters'>, all: Fields, usual = 'id'): JsonObject {
  return pick(all, fieldsIn(parameters.get('fields') ?? usual), (field) =>
    refuse({ code: 100, message: `Tried accessing nonexisting field (${field})` }),
  );
}
