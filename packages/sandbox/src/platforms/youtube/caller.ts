/** Authenticates callers and enforces scopes and quota. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { isDown } from '../../faults/requested.ts';
import { bearerToken } from '../../http/parameters.ts';
import type { Handler } from '../../http/routes.ts';
import { liveGrant } from '../../oauth/tokens.ts';
import { refuse, unauthenticated } from './answers.ts';
import { type Bucket, takeQuota } from './quota.ts';
import { type Account, appSettings, type Grant } from './records.ts';

export interface Caller {
  account: Account;
  grantId: string;
  scopes: readonly string[];
}

type CallerHandler = (
  options: SimulatorOptions,
  request: SimulatorRequest,
  caller: Caller,
) => Promise<SimulatorResponse>;

/**
 * Wraps a handler. It gets a call whose token is valid, that has a scope, and for which the project has quota.
 * @param needs any one of these scopes is sufficient
 */
export function asCaller(bucket: Bucket, needs: readonly string[], handler: CallerHandler, cost = 1): Handler {
  return async (options, request) => {
    const caller = await callerOf(options, request);
    if (!caller) return unauthenticated();
    if (await isDown(options.books, caller.account.channelId)) return refuse('backendError', 'Backend Error');
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
    return handler(options, request, caller);
  };
}

/** The owner of the request's token, or null if the token is missing or invalid. */
export async function callerOf(options: SimulatorOptions, request: SimulatorRequest): Promise<Caller | null> {
  const live = await liveGrant<Grant>(options, bearerToken(request));
  const account = live && (await options.books.get<Account>('account', live.grant.channelId));
  return account ? { account, grantId: live.grantId, scopes: live.grant.scopes } : null;
}
