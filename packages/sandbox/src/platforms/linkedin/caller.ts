/** Authenticates the caller and checks headers, token, and daily limits. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { failed, Refused, refuse } from './answers.ts';
import type { Grant, Person, TokenRecord } from './records.ts';

/** Supported months of the versioned API. Older ones are retired; later ones do not exist yet. */
const VERSIONS = { oldest: '202511', newest: '202609' };
const PER_MEMBER_DAY = 150;
const PER_APPLICATION_DAY = 100_000;
const DAY_MS = 86_400_000;

export interface Caller {
  person: Person;
  grantId: string;
  scopes: readonly string[];
}

/** Kind `outage`, by person: the number of calls that still fail. */
export interface Outage {
  of: string;
  left: number;
}

type Handle = (caller: Caller, request: SimulatorRequest) => Promise<SimulatorAnswer>;

/** Wraps a route of the versioned API. @param endpoint key for the daily limits */
export function versioned(
  options: SimulatorOptions,
  endpoint: string,
  handle: Handle,
): (request: SimulatorRequest) => Promise<SimulatorAnswer> {
  return answering(async (request) => {
    checkHeaders(request);
    return handle(await callerOf(options, request, endpoint), request);
  });
}

/** Wraps a route outside the versioned API; it checks only the token. */
export function unversioned(
  options: SimulatorOptions,
  endpoint: string,
  handle: Handle,
): (request: SimulatorRequest) => Promise<SimulatorAnswer> {
  return answering(async (request) => handle(await callerOf(options, request, endpoint), request));
}

/** Converts a thrown `Refused` to its response. */
export function answering(
  handle: (request: SimulatorRequest) => Promise<SimulatorAnswer>,
): (request: SimulatorRequest) => Promise<SimulatorAnswer> {
  return async (request) => {
    try {
      return await handle(request);
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      throw error;
    }
  };
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
  if (await isDown(options, caller.person.id)) throw new Refused(failed(503));
  if (options.limits) await count(options, caller.person.id, endpoint);
  return caller;
}

async function tokenOwner(options: SimulatorOptions, request: SimulatorRequest): Promise<Caller> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (!token) throw refuse('EMPTY_ACCESS_TOKEN', 'Empty oauth2 access token');
  const record = await options.books.get<TokenRecord>('access', token);
  const grant = record && (await options.books.get<Grant>('grant', record.grantId));
  const person = grant && (await options.books.get<Person>('person', grant.personId));
  if (!record || !grant || !person) throw refuse('INVALID_ACCESS_TOKEN', 'Invalid access token');
  if (record.revoked || grant.revoked)
    throw refuse('REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user');
  if (record.expiresAt <= options.now())
    throw refuse('EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired');
  return { person, grantId: record.grantId, scopes: grant.scopes };
}

async function isDown(options: SimulatorOptions, personId: string): Promise<boolean> {
  let down = false;
  await options.books.change<Outage>('outage', personId, (outage) => {
    down = outage !== undefined && outage.left > 0;
    return down && outage ? { ...outage, left: outage.left - 1 } : undefined;
  });
  return down;
}

/** Counts a call by endpoint and day. Days start at midnight UTC. */
async function count(options: SimulatorOptions, personId: string, endpoint: string): Promise<void> {
  const day = Math.floor(options.now() / DAY_MS);
  for (const [who, limit] of [
    [personId, PER_MEMBER_DAY],
    ['', PER_APPLICATION_DAY],
  ] as const) {
    const used = await options.books.change<number>('calls', `${who} ${endpoint} ${day}`, (calls = 0) => calls + 1);
    if ((used ?? 0) > limit) throw throttled(who ? 'MEMBER DAY' : 'APPLICATION DAY');
  }
}

/** Returns the error for an exceeded limit. A burst limit has no day. */
export function throttled(which: 'MEMBER DAY' | 'APPLICATION DAY' | 'burst'): Refused {
  const words = which === 'burst' ? '' : `${which} `;
  return refuse('TOO_MANY_REQUESTS', `Resource level throttle ${words}limit for calls to this resource is reached.`);
}
