/** Authenticates callers, enforces scopes and rate limits, and adds rate limit headers. */
import type { Route, SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { bearerToken } from '../../http/parameters.ts';
import { answerOf } from '../../http/refused.ts';
import { blank, problem } from './problems.ts';
import { countUse, type Endpoint } from './rates.ts';
import { type Account, switchesOf, type Token, type XSwitches } from './records.ts';

export interface Caller {
  account: Account;
  grantId: string;
  switches: XSwitches;
}

interface Deps {
  endpoint: Endpoint;
  scopes: readonly string[];
  /** Locked accounts may not call routes that write. */
  writes: boolean;
}

export type CallerHandler = (
  options: SimulatorOptions,
  request: SimulatorRequest,
  caller: Caller,
) => Promise<SimulatorResponse>;

/** A route that requires a token with all of the scopes. */
export function callerRoute(
  options: SimulatorOptions,
  method: Route['method'],
  path: string,
  deps: Deps,
  handler: CallerHandler,
): Route {
  return {
    method,
    path,
    async handle(request) {
      const token = await options.books.get<Token>('access', bearerToken(request));
      const account = token && (await options.books.get<Account>('account', token.accountId));
      if (!token || !account || token.dead || (token.expiresAt ?? 0) <= options.now()) return blank(401);
      const use = await countUse(options, deps.endpoint, account.id);
      const response = use.exceeded ? blank(429) : await admitted(account, token, request);
      return { ...response, headers: { ...use.headers, ...response.headers } };
    },
  };

  async function admitted(account: Account, token: Token, request: SimulatorRequest): Promise<SimulatorResponse> {
    const switches = await switchesOf(options);
    const refusal = refusalOfApplication(switches.application);
    if (refusal) return refusal;
    if (!deps.scopes.every((scope) => token.scopes.includes(scope))) return blank(403);
    if (deps.writes && account.locked)
      return blank(403, 'Your account is not permitted to access this feature. To protect our users, it is locked.');
    // The rate limit headers are also added to errors.
    return handler(options, request, { account, grantId: token.grantId, switches }).catch(answerOf);
  }
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
