/** Authenticates callers by their token. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { isDown } from '../../faults/requested.ts';
import { type Parameters, tokenIn } from '../../graph/parameters.ts';
import { Refused } from '../../refused.ts';
import type { Grant, Page, TokenRecord, User } from './records.ts';
import { invalidToken, refuse, unavailable } from './responses.ts';

export interface Caller {
  token: string;
  record: TokenRecord;
  grant: Grant;
  user: User;
}

/** Returns the login of a valid token. @throws Refused */
export async function callerOf(
  options: SimulatorOptions,
  request: SimulatorRequest,
  parameters: Parameters,
): Promise<Caller> {
  const token = tokenIn(request, parameters);
  if (!token) refuse({ code: 104, message: 'An access token is required to request this resource.' });
  const proof = parameters.get('appsecret_proof');
  if (proof !== undefined && !fits(proof, createHmac('sha256', options.app.clientSecret).update(token).digest('hex')))
    refuse({
      code: 100,
      type: 'GraphMethodException',
      message: 'Invalid appsecret_proof provided in the API argument',
    });
  const { record, grant } = await liveToken(options, token);
  const user = await options.store.get<User>('user', grant.userId);
  if (!user) refuse(UNKNOWN_TOKEN);
  const caller = { token, record, grant, user };
  if (record.pageId) roleOf(caller, record.pageId);
  return caller;
}

const UNKNOWN_TOKEN = { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' };

/** @throws Refused if the token is unknown, ended or expired */
export async function liveToken({ store, now }: SimulatorOptions, token: string) {
  const record = await store.get<TokenRecord>('token', token);
  const grant = record && (await store.get<Grant>('grant', record.grantId));
  if (!grant) return refuse(UNKNOWN_TOKEN);
  if (grant.dead) refuse({ code: 190, ...grant.dead });
  if (record.expiresAt !== null && record.expiresAt <= now())
    throw new Refused(invalidToken(463, 'Session has expired.'));
  return { record, grant };
}

function fits(given: string, wanted: string): boolean {
  return given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
}

/** Returns the login's tasks on a Page. @throws Refused if it has no role there */
export function roleOf({ user, grant }: Caller, pageId: string): readonly string[] {
  const role = user.roles.find((each) => each.pageId === pageId);
  if (role && grant.pageIds.includes(pageId)) return role.tasks;
  throw new Refused(invalidToken(492, 'Session does not match current stored session. The user has no role here.'));
}

/** @throws Refused if a permission was not granted */
export function needs({ grant }: Caller, ...permissions: readonly string[]): void {
  const missing = permissions.filter((each) => !grant.scopes.includes(each));
  if (missing.length > 0)
    refuse({ code: 200, message: `(#200) Requires ${missing.join(', ')} permission to manage the object` });
}

/**
 * Returns the Page that a Page token acts for. @throws Refused if the Page does not exist, is down, or the token is not
 * the Page's
 */
export async function actingPage(options: SimulatorOptions, caller: Caller, pageId: string): Promise<Page> {
  const page = await options.store.get<Page>('page', pageId);
  if (!page) refuse(noSuchObject(pageId));
  await simulateOutage(options, pageId);
  if (caller.record.pageId !== pageId)
    refuse({ code: 210, message: '(#210) A page access token is required to request this resource.' });
  return page;
}

/** Counts a call against the outage that a text requested. @throws Refused while it lasts */
export async function simulateOutage({ store }: SimulatorOptions, pageId: string): Promise<void> {
  if (await isDown(store, pageId)) throw new Refused(unavailable());
}

export function noSuchObject(id: string) {
  return {
    code: 100,
    subcode: 33,
    type: 'GraphMethodException',
    message: `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
  };
}
