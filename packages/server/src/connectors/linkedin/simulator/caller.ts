/** Who calls, and whether the call may be made now: headers, token, daily limits. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../kit/simulator.ts';
import { failed, Refused, refuse } from './answers.ts';
import type { Grant, Person, TokenRecord } from './records.ts';

/** Months of the versioned API: older ones are switched off, later ones do not exist yet. */
const VERSIONS = { oldest: '202511', newest: '202609' };
const PER_MEMBER_DAY = 150;
const PER_APPLICATION_DAY = 100_000;
const DAY_MS = 86_400_000;

export interface Caller {
  person: Person;
  grantId: string;
  scopes: readonly string[];
}

/** Kind `outage`, by person: the calls that still find the platform down. */
export interface Outage {
  of: string;
  left: number;
}

type Handle = (caller: Caller, request: SimulatorRequest) => Promise<SimulatorAnswer>;

/** A route of the versioned API. @param endpoint what the daily limits count by */
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

/** A route outside the versioned API: only the token counts. */
export function unversioned(
  options: SimulatorOptions,
  endpoint: string,
  handle: Handle,
): (request: SimulatorRequest) => Promise<SimulatorAnswer> {
  return answering(async (request) => handle(await callerOf(options, request, endpoint), request));
}

/** Turns a thrown refusal into the answer. */
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

/** @param what resource and method as the refusal names them @throws Refused */
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

/** Counts by endpoint and day; days begin at midnight UTC. */
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

/** The refusal of a limit; a burst is none of a day. */
export function throttled(which: 'MEMBER DAY' | 'APPLICATION DAY' | 'burst'): Refused {
  const words = which === 'burst' ? '' : `${which} `;
  return refuse('TOO_MANY_REQUESTS', `Resource level throttle ${words}limit for calls to this resource is reached.`);
}
