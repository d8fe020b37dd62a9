/** Authenticates callers and enforces permissions and rate limits. */
import { createHmac } from 'node:crypto';
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { isDown } from '../../faults/requested.ts';
import { Refused } from '../../http/refused.ts';
import { down, limited, refuse } from './answers.ts';
import { type Parameters, parametersOf } from './parameters.ts';
import { type Account, DAY_MS, type Grant, type Login, settingsOf, type TokenRecord, VERSIONS } from './records.ts';

/** Handles a call on the account or node of this id. */
export type CallerHandler = (options: SimulatorOptions, caller: Caller, id: string) => Promise<SimulatorResponse>;

export interface Caller {
  parameters: Parameters;
  token: string;
  record: TokenRecord;
  grantId: string;
  grant: Grant;
  /** The accounts that the token may access. */
  igIds: readonly string[];
}

/** Passes a call to `handle` if its token is valid, belongs to this host, and the platform is up. */
export async function asCaller(
  options: SimulatorOptions,
  request: SimulatorRequest,
  host: Login,
  handle: (caller: Caller) => Promise<SimulatorResponse>,
): Promise<SimulatorResponse> {
  const { version } = request.params;
  if (version !== undefined && !VERSIONS.includes(version)) return refuse('2635', 'This version is not available.');
  const parameters = await parametersOf(request);
  const token = parameters.get('access_token') ?? bearerOf(request);
  const { record, grant } = await tokenFor(options, token, host);
  if (host === 'facebook') await checkProof(options, token, parameters.get('appsecret_proof'));
  const igIds = record.igId === null ? grant.igIds : [record.igId];
  for (const igId of igIds) if (await isDown(options.books, igId)) return down();
  const first = igIds[0] ?? '';
  if (options.limits && !(await mayCall(options, first))) return limited(first, 12);
  return handle({ parameters, token, record, grantId: record.grantId, grant, igIds });
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
  const record = token === '' ? undefined : await options.books.get<TokenRecord>('token', token);
  const grant = record && (await options.books.get<Grant>('grant', record.grantId));
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
  const account = own ? await options.books.get<Account>('account', igId) : undefined;
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

function bearerOf(request: SimulatorRequest): string {
  return /^(?:Bearer|OAuth) (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

async function mayCall(options: SimulatorOptions, igId: string): Promise<boolean> {
  const { calls } = await settingsOf(options);
  if (calls === null) return true;
  let within = false;
  await options.books.change<number[]>('calls', igId, (times = []) => {
    const recent = times.filter((time) => time > options.now() - DAY_MS);
    within = recent.length < calls;
    return within ? [...recent, options.now()] : undefined;
  });
  return within;
}
