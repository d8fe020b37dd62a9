/** Authenticates callers and enforces scopes and quota. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { refuse, unauthenticated } from './answers.ts';
import { type Bucket, takeQuota } from './quota.ts';
import { type AccessRecord, type Account, appSettings, type Grant } from './records.ts';

export interface Caller {
  account: Account;
  grantId: string;
  scopes: readonly string[];
}

/** Record of kind `outage`, keyed by channel id: how many more calls fail. */
export interface Outage {
  text: string;
  left: number;
}

/**
 * Passes a call to `handle` if its token is valid, a scope is granted and the project has quota.
 * @param needs any one of these scopes is sufficient
 */
export async function asCaller(
  options: SimulatorOptions,
  request: SimulatorRequest,
  bucket: Bucket,
  needs: readonly string[],
  handle: (caller: Caller) => Promise<SimulatorAnswer>,
  cost = 1,
): Promise<SimulatorAnswer> {
  const caller = await callerOf(options, request);
  if (!caller) return unauthenticated();
  if (await isDown(options, caller.account.channelId)) return refuse('backendError', 'Backend Error');
  if (!(await appSettings(options)).enabled)
    return refuse('accessNotConfigured', 'YouTube Data API v3 has not been used in this project before.');
  if (!needs.some((scope) => caller.scopes.includes(scope)))
    return refuse('insufficientPermissions', 'Request had insufficient authentication scopes.', {
      status: 'PERMISSION_DENIED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
    });
  if (!(await takeQuota(options, bucket, cost)))
    return refuse(
      'quotaExceeded',
      'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.',
    );
  return handle(caller);
}

/** The owner of the request's token, or null if the token is missing or invalid. */
export async function callerOf(options: SimulatorOptions, request: SimulatorRequest): Promise<Caller | null> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const record = await options.books.get<AccessRecord>('access', token);
  if (!record || record.expiresAt <= options.now()) return null;
  const grant = await options.books.get<Grant>('grant', record.grantId);
  if (!grant || grant.dead) return null;
  const account = await options.books.get<Account>('account', grant.channelId);
  return account ? { account, grantId: record.grantId, scopes: grant.scopes } : null;
}

/** Counts a call against the outage that a post's text requested. */
export async function isDown(options: SimulatorOptions, channelId: string): Promise<boolean> {
  let down = false;
  await options.books.change<Outage>('outage', channelId, (outage) => {
    down = outage !== undefined && outage.left > 0;
    return down && outage ? { ...outage, left: outage.left - 1 } : undefined;
  });
  return down;
}
