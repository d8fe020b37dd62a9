/** Who calls, what they may, and how often: in front of every route that wants a token. */
import type { Route, SimulatorAnswer, SimulatorRequest } from '../../kit/simulator.ts';
import { countUse, type Family } from './rates.ts';
import type { Account, MastodonSwitches, Token, World } from './state.ts';
import { type Locale, localeOf, type TextKey, text } from './texts.ts';

/** Ends a route with this answer. */
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

/** The 401 of a token that is no good, with the challenge of RFC 6750. */
export function unauthorised(locale: Locale, key: TextKey): SimulatorAnswer {
  const description = text('en', key);
  return refusal(401, text(locale, key), {
    'www-authenticate': `Bearer realm="Doorkeeper", error="invalid_token", error_description="${description}"`,
  });
}

/** A route whose refusals are thrown as {@link Refused}. */
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

/** Whether the granted scopes cover one: `write` covers `write:media`. */
export function covers(granted: readonly string[], scope: string): boolean {
  return granted.includes(scope) || granted.includes(scope.split(':')[0] ?? scope);
}

/** The caller by the bearer token; null without one. @throws Refused with 401 for a token that is no good */
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

/** Wraps a route that needs one of the scopes; counts the call and adds the rate-limit headers where limits are on. */
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

/** Wraps a route that anybody may call; a caller with a token needs one of the scopes, and is counted. */
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
