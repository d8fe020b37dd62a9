/** Authenticates the caller and checks scopes and rate limits, for all routes that require a token. */
import type { Route, SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { Refused } from '../../http/refused.ts';
import { liveGrant } from '../../oauth/tokens.ts';
import { countInWindow } from '../../store/records.ts';
import { authenticationFailed, refusal, tooMany } from './answers.ts';
import { type Account, type Grant, settingsOf } from './records.ts';

export interface Caller {
  account: Account;
  grantId: string;
  scopes: readonly string[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Calls per window: per user token, or per application for a trial application. */
const LIMITS = {
  standard: { read: { limit: 1_000, windowMs: MINUTE_MS }, write: { limit: 100, windowMs: MINUTE_MS } },
  trial: { read: { limit: 1_000, windowMs: DAY_MS }, write: { limit: 300, windowMs: DAY_MS } },
} as const;

const SCOPES_MISSING =
  'Your token does not have sufficient permissions to perform this operation. Please ensure your token is authorized with the correct set of scopes.';

/** Creates a route that requires a token with all these scopes. */
export function asCaller(
  options: SimulatorOptions,
  [method, path]: [Route['method'], string],
  scopes: readonly string[],
  handle: (request: SimulatorRequest, caller: Caller) => Promise<SimulatorResponse>,
): Route {
  return {
    method,
    path,
    async handle(request) {
      const caller = await callerOf(options, request);
      await countUse(options, caller, method === 'GET' ? 'read' : 'write');
      if (!scopes.every((scope) => caller.scopes.includes(scope))) throw new Refused(refusal(401, 3, SCOPES_MISSING));
      return handle(request, caller);
    },
  };
}

async function callerOf(options: SimulatorOptions, request: SimulatorRequest): Promise<Caller> {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const live = await liveGrant<Grant>(options, token);
  const account = live && (await options.books.get<Account>('account', live.grant.accountId));
  if (!account) throw new Refused(authenticationFailed());
  return { account, grantId: live.grantId, scopes: live.grant.scopes };
}

async function countUse(options: SimulatorOptions, caller: Caller, kind: 'read' | 'write'): Promise<void> {
  if (!options.limits) return;
  const { tier } = await settingsOf(options);
  const { limit, windowMs } = LIMITS[tier][kind];
  const who = tier === 'trial' ? 'app' : caller.grantId;
  const { used, resetAt } = await countInWindow(options, ['rate', `${kind} ${who}`], windowMs);
  if (used > limit) throw new Refused(tooMany(Math.ceil((resetAt - options.now()) / 1000)));
}
