/** Authenticates callers, enforces scopes and rate limits, and adds rate limit headers. */
import type { SimulatorResponse } from '../../contract.ts';
import { bearerToken } from '../../http/parameters.ts';
import type { CallerHandler as AnyCallerHandler, Handler } from '../../http/routes.ts';
import { responseOf } from '../../refused.ts';
import { blank, problem } from './problems.ts';
import { countUse, type Endpoint } from './rates.ts';
import { type Account, switchesOf, type Token, type XSwitches } from './records.ts';

export interface Caller {
  account: Account;
  grantId: string;
  switches: XSwitches;
}
export type CallerHandler = AnyCallerHandler<Caller>;

/** Wraps a handler that requires a token with all of the scopes. Locked accounts may only read. */
export function asCaller(endpoint: Endpoint, scopes: readonly string[], handler: CallerHandler): Handler {
  const admitted = async (token: Token, ...[options, request, caller]: Parameters<CallerHandler>) => {
    const refusal = refusalOfApplication(caller.switches.application);
    if (refusal) return refusal;
    if (!scopes.every((scope) => token.scopes.includes(scope))) return blank(403);
    if (caller.account.locked && !['GET', 'HEAD'].includes(request.method))
      return blank(403, 'Your account is not permitted to access this feature. To protect our users, it is locked.');
    return handler(options, request, caller);
  };
  return async (options, request) => {
    const token = await options.store.get<Token>('access', bearerToken(request));
    const account = token && (await options.store.get<Account>('account', token.accountId));
    if (!token || !account || token.dead || (token.expiresAt ?? 0) <= options.now()) return blank(401);
    const use = await countUse(options, endpoint, account.id);
    const caller = { account, grantId: token.grantId, switches: await switchesOf(options) };
    // The rate limit headers are also added to errors.
    const response = use.exceeded ? blank(429) : await admitted(token, options, request, caller).catch(responseOf);
    return { ...response, headers: { ...use.headers, ...response.headers } };
  };
}

function refusalOfApplication(application: XSwitches['application']): SimulatorResponse | null {
  switch (application) {
    case 'no-credits':
      return {
        status: 402,
        body: {
          title: 'CreditsDepleted',
          detail: 'Your enrolled account [1] does not have any credits to fulfill this request.',
          type: 'https://api.twitter.com/2/problems/credits',
        },
      };
    case 'credits-depleted':
      return problem(402, 'credits-depleted', 'Payment Required', 'credits depleted');
    case 'not-enrolled':
      return problem(403, 'client-forbidden', 'Client Forbidden', 'Your client is not enrolled.', {
        reason: 'client-not-enrolled',
      });
    case 'forbidden':
      return problem(403, 'client-forbidden', 'Client Forbidden', 'This request must be made by another client.');
    case 'usage-capped':
      return problem(403, 'usage-capped', 'UsageCapExceeded', 'Usage cap exceeded: Monthly product cap');
    default:
      return null;
  }
}
