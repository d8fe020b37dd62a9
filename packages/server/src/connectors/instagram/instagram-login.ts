/** Business Login for Instagram: code → token for an hour → token for 60 days, which is refreshed with itself. */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { App, ConnectContext, Json, Tokens } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { graphCode } from '../kit/graph.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { noLongerAccepted } from '../kit/oauth.ts';
import { tameWords } from '../kit/words.ts';
import { get, said } from './api.ts';
import { failureOf } from './classify.ts';

const DAY_SECONDS = 86_400;
/** Lifetime of a long-lived token if the response states none ("60 days"), seconds. */
const LONG_SECONDS = 60 * DAY_SECONDS;

const NO_LONGER_ACCEPTED = noLongerAccepted('Instagram');

/** @throws PlatformError */
export async function exchangeInstagram(
  context: ConnectContext,
  app: App,
  { code, redirectUri }: { code: string; redirectUri: string },
): Promise<Tokens> {
  const response = await context.http({
    method: 'POST',
    url: `${context.endpoints.instagramApi}/oauth/access_token`,
    form: {
      client_id: app.clientId,
      client_secret: app.clientSecret,
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code,
    },
  });
  const { token, scopes } = readShort(response);
  const long = await token60(context, 'access_token', {
    grant_type: 'ig_exchange_token',
    client_secret: app.clientSecret,
    access_token: token,
  });
  return { ...long, scopes: long.scopes.length > 0 ? long.scopes : scopes };
}

/**
 * Refreshes a token that is at least a day old; a younger one is only checked. A token of unknown age is checked too if
 * its refresh is rejected for another reason than its invalidity.
 * @throws PlatformError `reconnect` if the token is invalid
 */
export async function refreshInstagram(context: ConnectContext, tokens: Tokens): Promise<Tokens> {
  const accessToken = textAt(tokens.secret, 'accessToken');
  if (!accessToken) throw new PlatformError(NO_LONGER_ACCEPTED);
  const obtainedAt = numberAt(tokens.secret, 'obtainedAt');
  if (obtainedAt !== null && context.now() - obtainedAt < DAY_SECONDS * 1000) return inspect(context, tokens);
  try {
    const query = { grant_type: 'ig_refresh_token', access_token: accessToken };
    return await token60(context, 'refresh_access_token', query);
  } catch (error) {
    if (error instanceof PlatformError && error.failure.kind === 'rejected') return inspect(context, tokens);
    throw dead(error);
  }
}

/** Returns the same token if it still works. @throws PlatformError */
async function inspect(context: ConnectContext, tokens: Tokens): Promise<Tokens> {
  const { http, endpoints } = context;
  const token = textAt(tokens.secret, 'accessToken');
  try {
    await get({ http, endpoints, login: 'instagram', token, app: null }, 'me', { fields: 'user_id' });
  } catch (error) {
    throw dead(error);
  }
  const expiresAt = numberAt(tokens.secret, 'expiresAt') ?? 0;
  const left = Math.floor((expiresAt - context.now()) / 1000);
  return { ...tokens, expiresIn: left > 0 ? left : DAY_SECONDS };
}

/** An invalid token requires a new consent, because only the token itself can refresh it. */
function dead(error: unknown): unknown {
  if (!(error instanceof PlatformError) || error.failure.kind !== 'tokenExpired') return error;
  return new PlatformError({ ...error.failure, ...NO_LONGER_ACCEPTED }, { cause: error });
}

/** @throws PlatformError */
async function token60(context: ConnectContext, path: string, query: Record<string, string>): Promise<Tokens> {
  const url = `${context.endpoints.instagramGraph}/${path}?${new URLSearchParams(query)}`;
  const { body } = said(await context.http({ method: 'GET', url }));
  const accessToken = textAt(body, 'access_token');
  if (!accessToken) throw new PlatformError(transient('Instagram gave no token.'));
  const expiresIn = numberAt(body, 'expires_in') ?? LONG_SECONDS;
  const obtainedAt = context.now();
  return {
    secret: { login: 'instagram', accessToken, obtainedAt, expiresAt: obtainedAt + expiresIn * 1000 },
    scopes: scopesIn(body),
    expiresIn,
    refreshExpiresIn: null,
    service: '',
  };
}

/**
 * The documentation shows a list with one element; most responses are flat. The id beside the token is not needed.
 * @throws PlatformError
 */
export function readShort(response: HttpResponse): { token: string; scopes: readonly string[] } {
  const body = response.tryJson();
  const one = at(body, 'data', 0) ?? body;
  const token = textAt(one, 'access_token');
  if (response.status === 200 && token) return { token, scopes: scopesIn(one as Json) };
  throw new PlatformError(exchangeFailure(response));
}

/** Parses a list or a comma-separated string. */
function scopesIn(body: unknown): readonly string[] {
  const given = at(body, 'permissions');
  const words = Array.isArray(given) ? given.map(String) : textAt(body, 'permissions').split(/[\s,]+/);
  return words.filter(Boolean);
}

/** The code exchange has its own error format: `{"error_type","code","error_message"}`. */
function exchangeFailure(response: HttpResponse): Failure {
  if (graphCode(response)) return failureOf(response);
  const said = tameWords(textAt(response.tryJson(), 'error_message'));
  const { status } = response;
  if (!said || status >= 500) return failureOf(response);
  return { kind: 'setup', detail: `Instagram did not accept the sign-in. It said: ${said}`, status };
}
