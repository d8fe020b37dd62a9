/** Authenticates the caller and checks scopes and rate limits, for all routes that require a token. */
import type { Route, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { bearerToken } from '../../http/parameters.ts';
import { Refused, responseOf } from '../../refused.ts';
import { countInWindow } from '../../store/records.ts';
import { MINUTE, SECOND } from '../../time.ts';
import type { Account, MastodonSwitches, Token, World } from './state.ts';
import { type Locale, localeOf, type TextKey, text } from './texts.ts';

export interface Caller {
  tokenKey: string;
  token: Token;
  account: Account;
  locale: Locale;
  switches: MastodonSwitches;
}

export function refusal(status: number, error: string, headers: Record<string, string> = {}): SimulatorResponse {
  return { status, headers, body: { error } };
}

/** Returns the 401 for an invalid token, with the challenge of RFC 6750. */
export function unauthorized(locale: Locale, key: TextKey): SimulatorResponse {
  const description = text('en', key);
  return refusal(401, text(locale, key), {
    'www-authenticate': `Bearer realm="Doorkeeper", error="invalid_token", error_description="${description}"`,
  });
}

/** Returns a 429 that states a wait of two seconds. */
export function tooManyRequests(locale: Locale, now: number): SimulatorResponse {
  return refusal(429, text(locale, 'tooMany'), rateHeaders(300, 0, now + 2 * SECOND));
}

/** Handles a request of this instance. */
export type Handler = (world: World, request: SimulatorRequest) => Promise<SimulatorResponse>;

/** Handles a request of an authenticated caller. */
export type CallerHandler = (world: World, request: SimulatorRequest, caller: Caller) => Promise<SimulatorResponse>;

/** Handles a request that may have no caller. */
export type PublicHandler = (
  world: World,
  request: SimulatorRequest,
  caller: Caller | null,
  locale: Locale,
) => Promise<SimulatorResponse>;

/** Creates a route of the instance. */
export function routesOf(world: World) {
  return (method: Route['method'], path: string, handler: Handler): Route => ({
    method,
    path,
    handle: (request) => handler(world, request),
  });
}

/** Whether the granted scopes include one: `write` includes `write:media`. */
export function covers(granted: readonly string[], scope: string): boolean {
  return granted.includes(scope) || granted.includes(scope.split(':')[0] ?? scope);
}

/** Returns the caller of the bearer token; null without one. @throws Refused with 401 for an invalid token */
export async function callerOf(world: World, request: SimulatorRequest): Promise<Caller | null> {
  const switches = await world.switches();
  const locale = switches.locale ?? localeOf(request.headers['accept-language']);
  const tokenKey = bearerToken(request);
  if (!tokenKey) return null;
  const token = await world.options.store.get<Token>('token', tokenKey);
  if (!token) throw new Refused(unauthorized(locale, 'invalidToken'));
  if (token.state !== 'live')
    throw new Refused(unauthorized(locale, token.state === 'revoked' ? 'revokedToken' : 'expiredToken'));
  if (!token.accountId) throw new Refused(refusal(422, text(locale, 'userNeeded')));
  const account = await world.options.store.get<Account>('account', token.accountId);
  if (!account) throw new Refused(unauthorized(locale, 'invalidToken'));
  if (switches.login) throw new Refused(refusal(403, text(locale, switches.login)));
  return { tokenKey, token, account, locale, switches };
}

/** Wraps a handler that requires one of the scopes. Counts the call and adds rate-limit headers if limits are on. */
export function withCaller(scopes: readonly string[], families: readonly Family[], handle: CallerHandler): Handler {
  return async (world, request) => {
    const caller = await callerOf(world, request);
    if (!caller) throw new Refused(unauthorized(localeOf(request.headers['accept-language']), 'invalidToken'));
    if (!scopes.some((scope) => covers(caller.token.scopes, scope)))
      throw new Refused(refusal(403, text(caller.locale, 'scopes')));
    const use = await countUse(world, caller.account.id, families);
    if (use.exceeded) return refusal(429, text(caller.locale, 'tooMany'), use.headers);
    const response = await handle(world, request, caller).catch(responseOf);
    return { ...response, headers: { ...use.headers, ...response.headers } };
  };
}

/** Wraps a public handler. A caller with a token needs the scope, and is counted. */
export function withOrWithoutCaller(scope: string, handle: PublicHandler): Handler {
  const known = withCaller([scope], ['all'], (world, request, caller) => handle(world, request, caller, caller.locale));
  return async (world, request) => {
    if (request.headers.authorization) return known(world, request);
    return handle(world, request, null, localeOf(request.headers['accept-language']));
  };
}

/** Calls per account and window in ms (docs.joinmastodon.org, "Rate limits"). */
const FAMILIES = {
  all: { limit: 300, windowMs: 5 * MINUTE },
  media: { limit: 30, windowMs: 30 * MINUTE },
  status: { limit: 300, windowMs: 180 * MINUTE },
  delete: { limit: 30, windowMs: 30 * MINUTE },
} as const;

type Family = keyof typeof FAMILIES;

/** Returns the three headers. The time is ISO 8601 with microseconds. @param resetAt ms since the epoch */
function rateHeaders(limit: number, remaining: number, resetAt: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': new Date(resetAt).toISOString().replace('Z', '000Z'),
  };
}

/** Counts a call in its windows and returns the headers of the tightest one. Does nothing if limits are off. */
async function countUse(
  world: World,
  accountId: string,
  families: readonly Family[],
): Promise<{ exceeded: boolean; headers: Record<string, string> }> {
  if (!world.options.limits) return { exceeded: false, headers: {} };
  let tightest = { left: Number.POSITIVE_INFINITY, headers: {} };
  for (const family of families) {
    const { limit, windowMs } = FAMILIES[family];
    const { used, resetAt } = await countInWindow(world.options, ['rate', `${family} ${accountId}`], windowMs);
    const left = limit - used;
    if (left < tightest.left) tightest = { left, headers: rateHeaders(limit, Math.max(0, left), resetAt) };
  }
  return { exceeded: tightest.left < 0, headers: tightest.headers };
}
