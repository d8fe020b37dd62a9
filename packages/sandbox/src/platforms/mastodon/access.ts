/** Authenticates the caller and checks scopes and rate limits, for all routes that require a token. */
import type { Route, SimulatorAnswer, SimulatorRequest } from '../../contract.ts';
import { countUse, type Family } from './rates.ts';
import type { Account, MastodonSwitches, Token, World } from './state.ts';
import { type Locale, localeOf, type TextKey, text } from './texts.ts';

/** Thrown to end a route with this response. */
export class Refused extends Error {
  readonly answer: SimulatorAnswer;

  constructor(answer: SimulatorAnswer) {
    super(`Refused with ${answer.status}.`);
    this.answer = answer;
  }
}

export interface Caller {
  tokenKey: string;
  token: Token;
  account: Account;
  locale: Locale;
  switches: MastodonSwitches;
}

export function refusal(status: number, error: string, headers: Record<string, string> = {}): SimulatorAnswer {
  return { status, headers, body: { error } };
}

/** Returns the 401 for an invalid token, with the challenge of RFC 6750. */
export function unauthorised(locale: Locale, key: TextKey): SimulatorAnswer {
  const description = text('en', key);
  return refusal(401, text(locale, key), {
    'www-authenticate': `Bearer realm="Doorkeeper", error="invalid_token", error_description="${description}"`,
  });
}

/** Creates a route that converts a thrown {@link Refused} to its response. */
export function route(
  method: Route['method'],
  path: string,
  handle: (request: SimulatorRequest) => Promise<SimulatorAnswer>,
): Route {
  return {
    method,
    path,
    handle: async (request) => {
      try {
        return await handle(request);
      } catch (error) {
        if (error instanceof Refused) return error.answer;
        throw error;
      }
    },
  };
}

/** Whether the granted scopes include one: `write` includes `write:media`. */
export function covers(granted: readonly string[], scope: string): boolean {
  return granted.includes(scope) || granted.includes(scope.split(':')[0] ?? scope);
}

/** Returns the caller of the bearer token; null without one. @throws Refused with 401 for an invalid token */
export async function callerOf(world: World, request: SimulatorRequest): Promise<Caller | null> {
  const switches = await world.switches();
  const locale = switches.locale ?? localeOf(request.headers['accept-language']);
  const tokenKey = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (!tokenKey) return null;
  const token = await world.options.books.get<Token>('token', tokenKey);
  if (!token) throw new Refused(unauthorised(locale, 'invalidToken'));
  if (token.state !== 'live')
    throw new Refused(unauthorised(locale, token.state === 'revoked' ? 'revokedToken' : 'expiredToken'));
  if (!token.accountId) throw new Refused(refusal(422, text(locale, 'userNeeded')));
  const account = await world.options.books.get<Account>('account', token.accountId);
  if (!account) throw new Refused(unauthorised(locale, 'invalidToken'));
  if (switches.login) throw new Refused(refusal(403, text(locale, switches.login)));
  return { tokenKey, token, account, locale, switches };
}

/** Wraps a route that requires one of the scopes. Counts the call and adds rate-limit headers if limits are on. */
export function withCaller(
  world: World,
  scopes: readonly string[],
  families: readonly Family[],
  handle: (request: SimulatorRequest, caller: Caller) => Promise<SimulatorAnswer>,
): (request: SimulatorRequest) => Promise<SimulatorAnswer> {
  return async (request) => {
    const caller = await callerOf(world, request);
    if (!caller) throw new Refused(unauthorised(localeOf(request.headers['accept-language']), 'invalidToken'));
    if (!scopes.some((scope) => covers(caller.token.scopes, scope)))
      throw new Refused(refusal(403, text(caller.locale, 'scopes')));
    return counted(world, caller, families, () => handle(request, caller));
  };
}

/** Wraps a public route. A caller with a token needs one of the scopes, and is counted. */
export function withOrWithoutCaller(
  world: World,
  scope: string,
  handle: (request: SimulatorRequest, caller: Caller | null, locale: Locale) => Promise<SimulatorAnswer>,
): (request: SimulatorRequest) => Promise<SimulatorAnswer> {
  const known = withCaller(world, [scope], ['all'], (request, caller) => handle(request, caller, caller.locale));
  return async (request) => {
    if (request.headers.authorization) return known(request);
    return handle(request, null, localeOf(request.headers['accept-language']));
  };
}

async function counted(
  world: World,
  caller: Caller,
  families: readonly Family[],
  run: () => Promise<SimulatorAnswer>,
): Promise<SimulatorAnswer> {
  const use = await countUse(world, caller.account.id, families);
  if (use.exceeded) return refusal(429, text(caller.locale, 'tooMany'), use.headers);
  const answer = await run().catch((error: unknown) => {
    if (error instanceof Refused) return error.answer;
    throw error;
  });
  return { ...answer, headers: { ...use.headers, ...answer.headers } };
}
