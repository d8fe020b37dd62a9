/** Authenticates the caller and checks scopes and rate limits. */
import type { SimulatorOptions } from '../../contract.ts';
import { bearerToken } from '../../http/parameters.ts';
import type { CallerHandler, Handler } from '../../http/routes.ts';
import { ownerOfToken, type TokenOwner } from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import { countInWindow } from '../../store/records.ts';
import { DAY, MINUTE } from '../../time.ts';
import { type Account, type Grant, settingsOf } from './records.ts';
import { authenticationFailed, refusal, tooMany } from './responses.ts';

export type Caller = TokenOwner<Account>;

/** Calls per window: per user token, or per application for a trial application. */
const LIMITS = {
  standard: { read: { limit: 1_000, windowMs: MINUTE }, write: { limit: 100, windowMs: MINUTE } },
  trial: { read: { limit: 1_000, windowMs: DAY }, write: { limit: 300, windowMs: DAY } },
} as const;

const SCOPES_MISSING =
  'Your token does not have sufficient permissions to perform this operation. Please ensure your token is authorized with the correct set of scopes.';

/** Wraps a handler. It gets a call whose token has all these scopes. */
export function asCaller(scopes: readonly string[], handler: CallerHandler<Caller>): Handler {
  return async (options, request) => {
    const caller = await ownerOfToken<Account, Grant>(options, bearerToken(request), ({ accountId }) => [
      'account',
      accountId,
    ]);
    if (!caller) throw new Refused(authenticationFailed());
    await countUse(options, caller, ['GET', 'HEAD'].includes(request.method) ? 'read' : 'write');
    if (!scopes.every((scope) => caller.scopes.includes(scope))) throw new Refused(refusal(401, 3, SCOPES_MISSING));
    return handler(options, request, caller);
  };
}

async function countUse(options: SimulatorOptions, caller: Caller, kind: 'read' | 'write'): Promise<void> {
  if (!options.limits) return;
  const { tier } = await settingsOf(options);
  const { limit, windowMs } = LIMITS[tier][kind];
  const who = tier === 'trial' ? 'app' : caller.grantId;
  const { used, resetAt } = await countInWindow(options, ['rate', `${kind} ${who}`], windowMs);
  if (used > limit) throw new Refused(tooMany(Math.ceil((resetAt - options.now()) / 1000)));
}
