/** Authenticates the caller and checks scopes and rate limits, for all routes that require a token. */
import type { Route, SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { authenticationFailed, Refused, refusal, tooMany } from './answers.ts';
import { type Account, type Grant, settingsOf, type TokenRecord } from './records.ts';

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

/** Creates a route that converts a thrown {@link Refused} to its response. */
export function route(
  method: Route['method'],
  path: string,
  handle: (request: SimulatorRequest) => Promise<SimulatorAnswer>,
): Route {
  return {
    method,
    path,
    async handle(request) {
      try {
        return await handle(request);
      } catch (error) {
        if (error instanceof Refused) return error.answer;
        throw error;
      }
    },
  };
}

/** Creates a route that requires a token with all these scopes. */
export function asCaller(
  options: SimulatorOptions,
  [method, path]: [Route['method'], string],
  scopes: readonly string[],
  handle: (request: SimulatorRequest, caller: Caller) => Promise<SimulatorAnswer>,
): Route {
  return route(method, path, async (request) => {
    const caller = await callerOf(options, request);
    await countUse(options, caller, method === 'GET' ? 'read' : 'write');
    if (!scopes.every((scope) => caller.scopes.includes(scope)))
      throw new Refused(
        refusal(
          401,
          3,
          'Your token does not have sufficient permissions to perform this operation. Please ensure your token is authorized with the correct set of scopes.',
        ),
      );
    return handle(request, caller);
  });
}

async function callerOf({ books, now }: SimulatorOptions, request: SimulatorRequest): Promise<Caller> {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const record = await books.get<TokenRecord>('access', token);
  const grant = record && record.expiresAt > now() ? await books.get<Grant>('grant', record.grantId) : undefined;
  const account = grant && !grant.dead ? await books.get<Account>('account', grant.accountId) : undefined;
  if (!record || !grant || !account) throw new Refused(authenticationFailed());
  return { account, grantId: record.grantId, scopes: grant.scopes };
}

async function countUse(options: SimulatorOptions, caller: Caller, kind: 'read' | 'write'): Promise<void> {
  if (!options.limits) return;
  const { tier } = await settingsOf(options);
  const { limit, windowMs } = LIMITS[tier][kind];
  const window = Math.floor(options.now() / windowMs);
  const who = tier === 'trial' ? 'app' : caller.grantId;
  const used = await options.books.change<number>('rate', `${kind} ${who} ${window}`, (count) => (count ?? 0) + 1);
  if ((used ?? 1) > limit) throw new Refused(tooMany(Math.ceil(((window + 1) * windowMs - options.now()) / 1000)));
}
