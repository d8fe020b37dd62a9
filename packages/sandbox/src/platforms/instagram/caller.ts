/** Authenticates callers and enforces permissions and rate limits. */
import { createHmac } from 'node:crypto';
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { isDown } from '../../faults/requested.ts';
import {
  fieldsIn,
  type Parameters as Params,
  parametersOf,
  pickFields as pick,
  tokenIn,
} from '../../graph/parameters.ts';
import { ok } from '../../graph/responses.ts';
import type { Json, JsonObject } from '../../json.ts';
import { Refused } from '../../refused.ts';
import { isWithinRate } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import { type Account, type Grant, type Login, settingsOf, type TokenRecord, VERSIONS } from './records.ts';
import { down, limited, refuse } from './responses.ts';

/** Handles a request to one of the two hosts. */
export type HostHandler = (
  options: SimulatorOptions,
  request: SimulatorRequest,
  host: Login,
) => Promise<SimulatorResponse>;

/** Handles a call on the account or node of this id. */
export type CallerHandler = (options: SimulatorOptions, caller: Caller, id: string) => Promise<SimulatorResponse>;

export interface Caller {
  parameters: Params;
  token: string;
  record: TokenRecord;
  grantId: string;
  grant: Grant;
  /** The accounts that the token may access. */
  igIds: readonly string[];
}

type HostCallerHandler = (...given: [...Parameters<HostHandler>, caller: Caller]) => Promise<SimulatorResponse>;

/** Wraps a handler. It gets a call whose token is valid and belongs to this host, if the platform is up. */
export function asCaller(handler: HostCallerHandler): HostHandler {
  return async (options, request, host) => {
    const { version } = request.params;
    if (version !== undefined && !VERSIONS.includes(version)) return refuse('2635', 'This version is not available.');
    const parameters = await parametersOf(request);
    const token = tokenIn(request, parameters);
    const { record, grant } = await tokenFor(options, token, host);
    if (host === 'facebook') await checkProof(options, token, parameters.get('appsecret_proof'));
    const igIds = record.igId === null ? grant.igIds : [record.igId];
    for (const igId of igIds) if (await isDown(options.store, igId)) return down();
    const { calls: limit } = await settingsOf(options);
    const first = igIds[0] ?? '';
    if (options.limits && limit !== null && !(await isWithinRate(options, ['calls', first], { limit, windowMs: DAY })))
      return limited(first, 12);
    return handler(options, request, host, { parameters, token, record, grantId: record.grantId, grant, igIds });
  };
}

/**
 * The proof is the hexadecimal HMAC-SHA256 of the token with the app secret. It is checked whenever present.
 * @throws Refused
 */
async function checkProof(options: SimulatorOptions, token: string, proof: string | undefined): Promise<void> {
  const { demandsProof } = await settingsOf(options);
  if (proof === undefined && demandsProof)
    throw new Refused(refuse('100', 'API calls from the server require an appsecret_proof argument'));
  const right = createHmac('sha256', options.app.clientSecret).update(token).digest('hex');
  if (proof !== undefined && proof !== right)
    throw new Refused(refuse('100', 'Invalid appsecret_proof provided in the API argument'));
}

/** Returns a valid token of one of the two hosts. @throws Refused */
export async function tokenFor(
  options: SimulatorOptions,
  token: string,
  host: Login,
): Promise<{ record: TokenRecord; grant: Grant }> {
  const record = token === '' ? undefined : await options.store.get<TokenRecord>('token', token);
  const grant = record && (await options.store.get<Grant>('grant', record.grantId));
  if (!grant || grant.login !== host) throw new Refused(refuse('190', 'Invalid OAuth access token.'));
  if (grant.dead !== null) throw new Refused(refuse(`190/${grant.dead}`, 'The access token is no longer valid.'));
  if (record.expiresAt !== null && record.expiresAt <= options.now())
    throw new Refused(refuse('190/463', 'The session has expired.'));
  return { record, grant };
}

/** Returns the account of a path if the caller may act for it and has the scope of its login. @throws Refused */
export async function accountFor(
  options: SimulatorOptions,
  caller: Caller,
  igId: string,
  scope: 'basic' | 'content_publish',
): Promise<Account> {
  const own = caller.igIds.includes(igId);
  const account = own ? await options.store.get<Account>('account', igId) : undefined;
  if (!account) throw new Refused(missing(igId));
  const needed = caller.grant.login === 'instagram' ? `instagram_business_${scope}` : `instagram_${scope}`;
  if (!caller.grant.scopes.includes(needed))
    throw new Refused(refuse('10', `The application has no permission for this action (${needed}).`));
  const lacksTask = !account.page.tasks.some((task) => task === 'MANAGE' || task === 'CREATE_CONTENT');
  if (caller.grant.login === 'facebook' && lacksTask)
    throw new Refused(refuse('200', 'The user has no sufficient role on the Page.'));
  return account;
}

export function missing(id: string): SimulatorResponse {
  return refuse('100/33', `Object with ID '${id.slice(0, 40)}' does not exist or cannot be loaded.`);
}

/** An object; fields without a value are omitted. */
type Described = Readonly<Record<string, Json | undefined>>;

/** Responds with the requested fields of an object. @throws Refused for an unknown field */
export function picked(all: Described, parameters: Params, usual = 'id'): SimulatorResponse {
  return ok(pickFields(all, fieldsIn(parameters.get('fields') || usual)));
}

/** The requested fields of an object, and its id. @throws Refused for an unknown field */
export function pickFields(all: Described, fields: readonly string[]): JsonObject {
  return pick(all, fields, () => {
    throw new Refused(refuse('100', 'Tried accessing nonexisting field.'));
  });
}
