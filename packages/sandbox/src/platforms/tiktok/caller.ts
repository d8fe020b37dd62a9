/** Authenticates callers and enforces scopes and rate limits. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { isDown } from '../../faults/requested.ts';
import { bearerToken } from '../../http/parameters.ts';
import type { Handler } from '../../http/routes.ts';
import { liveGrant } from '../../oauth/tokens.ts';
import { failed, refuse } from './answers.ts';
import type { Account, Grant } from './records.ts';

export interface Caller {
  account: Account;
  grantId: string;
  scopes: readonly string[];
}

/** Calls per minute and user token, in a sliding window. */
const PER_MINUTE = { init: 6, creator_info: 20, status: 30, other: 600 };

type CallerHandler = (
  options: SimulatorOptions,
  request: SimulatorRequest,
  caller: Caller,
) => Promise<SimulatorResponse>;

/**
 * Wraps a handler. It gets a call whose token is valid, whose rate is allowed and that has a scope.
 * @param needs any one of these scopes is sufficient
 */
export function asCaller(rate: keyof typeof PER_MINUTE, needs: readonly string[], handler: CallerHandler): Handler {
  return async (options, request) => {
    const token = bearerToken(request);
    const caller = await callerOf(options, token);
    if (!caller)
      return refuse(options, 'access_token_invalid', 'The access token is invalid or not found in the request.');
    if (await isDown(options.books, caller.account.openId)) return failed(options, 503);
    const name = rate === 'other' ? `${request.path} ${token}` : `${rate} ${token}`;
    if (options.limits && !(await withinRate(options, name, PER_MINUTE[rate])))
      return refuse(options, 'rate_limit_exceeded', 'The API rate limit was exceeded. Please try again later.');
    if (!needs.some((scope) => caller.scopes.includes(scope)))
      return refuse(options, 'scope_not_authorized', `The user did not authorize the scope ${needs.join(' or ')}.`);
    return handler(options, request, caller);
  };
}

async function callerOf(options: SimulatorOptions, token: string): Promise<Caller | null> {
  const live = await liveGrant<Grant>(options, token);
  const account = live && (await options.books.get<Account>('account', live.grant.openId));
  return account ? { account, grantId: live.grantId, scopes: live.grant.scopes } : null;
}

async function withinRate(options: SimulatorOptions, name: string, limit: number): Promise<boolean> {
  let within = false;
  await options.books.change<number[]>('rate', name, (times = []) => {
    const recent = times.filter((time) => time > options.now() - 60_000);
    within = recent.length < limit;
    return within ? [...recent, options.now()] : undefined;
  });
  return within;
}
