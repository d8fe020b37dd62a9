/** Authenticates the caller and checks headers, token, and daily limits. */
import type { SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { isDown } from '../../faults/requested.ts';
import { bearerToken } from '../../http/parameters.ts';
import type { CallerHandler as AnyCallerHandler, Handler } from '../../http/routes.ts';
import { Refused } from '../../refused.ts';
import { countInWindow } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import type { Grant, Person, TokenRecord } from './records.ts';
import { failed, refuse, revokedToken } from './responses.ts';

/** Supported months of the versioned API. Older ones are retired; later ones do not exist yet. */
const VERSIONS = { oldest: '202511', newest: '202609' };
const PER_MEMBER_DAY = 150;
const PER_APPLICATION_DAY = 100_000;

export interface Caller {
  person: Person;
  grantId: string;
  scopes: readonly string[];
}

export type CallerHandler = AnyCallerHandler<Caller>;

/** Wraps a handler of the versioned API. @param endpoint key for the daily limits */
export function versioned(endpoint: string, handler: CallerHandler): Handler {
  const handle = unversioned(endpoint, handler);
  return async (options, request) => {
    checkHeaders(request);
    return handle(options, request);
  };
}

/** Wraps a handler outside the versioned API; it checks only the token. */
export function unversioned(endpoint: string, handler: CallerHandler): Handler {
  return async (options, request) => handler(options, request, await callerOf(options, request, endpoint));
}

/** Requires scopes. @param what resource and method as named in the error @throws Refused */
export function need(caller: Caller, scopes: readonly string[], what: string): void {
  if (!scopes.every((scope) => caller.scopes.includes(scope)))
    throw refuse('ACCESS_DENIED', `Not enough permissions to access: ${what}.20260901`);
}

function checkHeaders({ headers }: SimulatorRequest): void {
  const version = headers['linkedin-version'];
  if (!version)
    throw refuse(
      'VERSION_MISSING',
      'A version must be present. Please specify a version by adding the Linkedin-Version header.',
    );
  if (!/^\d{6}$/.test(version) || version < VERSIONS.oldest || version > VERSIONS.newest)
    throw refuse('NONEXISTENT_VERSION', `Requested version ${version} is not active`);
  if (headers['x-restli-protocol-version'] !== '2.0.0')
    throw refuse('INVALID_VALUE_FOR_FIELD', 'X-Restli-Protocol-Version must be 2.0.0');
}

async function callerOf(options: SimulatorOptions, request: SimulatorRequest, endpoint: string): Promise<Caller> {
  const caller = await tokenOwner(options, request);
  if (await isDown(options.store, caller.person.id)) throw new Refused(failed(503));
  if (options.limits) await count(options, caller.person.id, endpoint);
  return caller;
}

async function tokenOwner(options: SimulatorOptions, request: SimulatorRequest): Promise<Caller> {
  const token = bearerToken(request);
  if (!token) throw refuse('EMPTY_ACCESS_TOKEN', 'Empty oauth2 access token');
  const record = await options.store.get<TokenRecord>('access', token);
  const grant = record && (await options.store.get<Grant>('grant', record.grantId));
  const person = grant && (await options.store.get<Person>('person', grant.personId));
  if (!record || !grant || !person) throw refuse('INVALID_ACCESS_TOKEN', 'Invalid access token');
  if (record.revoked || grant.revoked) throw revokedToken();
  if (record.expiresAt <= options.now())
    throw refuse('EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired');
  return { person, grantId: record.grantId, scopes: grant.scopes };
}

/** Counts a call by endpoint and day. Days start at midnight UTC. */
async function count(options: SimulatorOptions, personId: string, endpoint: string): Promise<void> {
  for (const [who, limit] of [
    [personId, PER_MEMBER_DAY],
    ['', PER_APPLICATION_DAY],
  ] as const) {
    const { used } = await countInWindow(options, ['calls', `${who} ${endpoint}`], DAY);
    if (used > limit) throw throttled(who ? 'MEMBER DAY' : 'APPLICATION DAY');
  }
}

/** Returns the error for an exceeded limit. A burst limit has no day. */
export function throttled(which: 'MEMBER DAY' | 'APPLICATION DAY' | 'burst'): Refused {
  const words = which === 'burst' ? '' : `${which} `;
  return refuse('TOO_MANY_REQUESTS', `Resource level throttle ${words}limit for calls to this resource is reached.`);
}
