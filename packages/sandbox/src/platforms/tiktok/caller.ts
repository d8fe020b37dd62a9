/** Authenticates callers and enforces scopes and rate limits. */
import { isDown } from '../../faults/requested.ts';
import { bearerToken } from '../../http/parameters.ts';
import type { CallerHandler, Handler } from '../../http/routes.ts';
import { ownerOfToken, type TokenOwner } from '../../oauth/tokens.ts';
import { isWithinRate } from '../../store/records.ts';
import { MINUTE } from '../../time.ts';
import type { Account, Grant } from './records.ts';
import { failed, invalidToken, rateLimited, refuse } from './responses.ts';

export type Caller = TokenOwner<Account>;

/** Calls per minute and user token, in a sliding window. */
const PER_MINUTE = { init: 6, creator_info: 20, status: 30, other: 600 };

/**
 * Wraps a handler. It gets a call whose token is valid, whose rate is allowed and that has a scope.
 * @param scopes any one of these scopes is sufficient
 */
export function asCaller(
  rate: keyof typeof PER_MINUTE,
  scopes: readonly string[],
  handler: CallerHandler<Caller>,
): Handler {
  return async (options, request) => {
    const token = bearerToken(request);
    const caller = await ownerOfToken<Account, Grant>(options, token, ({ openId }) => ['account', openId]);
    if (!caller) return invalidToken(options);
    if (await isDown(options.store, caller.account.openId)) return failed(options, 503);
    const name = rate === 'other' ? `${request.path} ${token}` : `${rate} ${token}`;
    const limit = { limit: PER_MINUTE[rate], windowMs: MINUTE };
    if (options.limits && !(await isWithinRate(options, ['rate', name], limit))) return rateLimited(options);
    if (!scopes.some((scope) => caller.scopes.includes(scope)))
      return refuse(options, 'scope_not_authorized', `The user did not authorize the scope ${scopes.join(' or ')}.`);
    return handler(options, request, caller);
  };
}
