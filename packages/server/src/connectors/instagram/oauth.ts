/**
 * OAuth for Instagram: two logins, each with its own app.
 *
 * Instagram Login gives each account its own token: code → token for an hour → token for 60 days, which is refreshed
 * with itself. Facebook Login covers all accounts whose Pages the user selected, with Page tokens that do not expire.
 */
import { DAY, SECOND } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, App, AppCheck, ConnectContext, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { CLIENT_CREDENTIALS, probeApp } from '../kit/app-check.ts';
import { isFailure, setup, withWords } from '../kit/failures.ts';
import { graphCode } from '../kit/graph.ts';
import { graphBody, LONG_LIVED_SECONDS, removeApplication } from '../kit/graph-api.ts';
import { BUSINESS_SCOPE } from '../kit/graph-pages.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { codeIn, noLongerAccepted, appOf as ownAppOf } from '../kit/oauth.ts';
import { accessTokenIn } from '../kit/token-response.ts';
import { tameWords } from '../kit/words.ts';
import { apiFor, type Login, loginOf, VERSION } from './api.ts';
import { asEnded, failureOf } from './classify.ts';
import { exchangeFacebook, facebookAccounts, factsOf, refreshFacebook } from './facebook-login.ts';
import { say } from './messages.ts';

const SCOPES: Record<Login, readonly string[]> = {
  instagram: ['instagram_business_basic', 'instagram_business_content_publish'],
  facebook: ['instagram_basic', 'instagram_content_publish', 'pages_read_engagement', 'pages_show_list'],
};
/** Requested, but not needed: Pages of a business portfolio. Meta leaves it out if the application does not have it. */
const REQUESTED: Record<Login, readonly string[]> = { ...SCOPES, facebook: [...SCOPES.facebook, BUSINESS_SCOPE] };
/** Instagram asks again who signs in, so that a second account can be connected. Facebook asks again what is allowed. */
const CONSENT: Record<Login, Record<string, string>> = {
  instagram: { force_reauth: 'true' },
  facebook: { auth_type: 'rerequest' },
};
const DAY_SECONDS = DAY / SECOND;

export const oauth: OAuthFlow = {
  needsApp: true,
  appIdVariable: 'APP_ID',
  appNames: ['instagram', 'facebook'],
  asks: [
    {
      name: 'login',
      title: { en: 'Sign in with', de: 'Anmelden mit' },
      required: false,
      values: [
        { value: 'instagram', title: { en: 'Instagram', de: 'Instagram' }, app: 'instagram' },
        { value: 'facebook', title: { en: 'Facebook', de: 'Facebook' }, app: 'facebook' },
      ],
    },
  ],
  scopes: SCOPES.instagram,
  appScopes: REQUESTED,
  checkApp,
  missingScopes(granted) {
    const login = granted.some((scope) => scope.startsWith('instagram_business_')) ? 'instagram' : 'facebook';
    return SCOPES[login].filter((scope) => !granted.includes(scope));
  },
  async authorize(context, { state, redirectUri, login: asked }) {
    const login = loginFor(context, asked);
    const query = new URLSearchParams({
      client_id: appOf(context, login).clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: REQUESTED[login].join(','),
      state,
      ...CONSENT[login],
    });
    const { instagram, facebook } = context.endpoints;
    const page = login === 'facebook' ? `${facebook}/${VERSION}/dialog/oauth` : `${instagram}/oauth/authorize`;
    return { url: `${page}?${query}`, kept: { login } };
  },
  async exchange(context, { query, redirectUri, kept }) {
    // Browsers do not send the URL fragment. If it arrives anyway, it is not part of the code.
    const code = codeIn(query, 'Instagram').replace(/#_(=_)?$/, '');
    const login = loginOf(kept);
    const exchange = login === 'facebook' ? exchangeFacebook : exchangeInstagram;
    return exchange(context, appOf(context, login), { code, redirectUri });
  },
  refresh: (context, tokens) =>
    loginOf(tokens.secret) === 'facebook'
      ? refreshFacebook(context, appOf(context, 'facebook'), tokens)
      : refreshInstagram(context, tokens),
  /** An Instagram login covers one account, so there is no whole consent. */
  consentOf: ({ secret }) =>
    loginOf(secret) === 'facebook' ? { app: 'facebook', person: textAt(secret, 'person') } : null,
  /** Instagram login has no endpoint to end access. */
  async revoke(context, { secret }) {
    if (loginOf(secret) === 'instagram') throw new PlatformError(setup(say('revocation_unavailable')));
    await removeApplication(apiFor(context, 'facebook', textAt(secret, 'accessToken')));
  },
  /** Parses a long-lived token of either login; token prefixes tell them apart. */
  tokensFrom(response) {
    const accessToken = accessTokenIn(response, 'Instagram');
    const expiresIn = Number(textAt(response, 'expires_in')) || null;
    const login: Login = accessToken.startsWith('EAA') ? 'facebook' : 'instagram';
    return { secret: { login, accessToken }, scopes: [], expiresIn, refreshExpiresIn: null, service: '' };
  },
};

/**
 * Facebook Login has app access tokens. Instagram Login has none: an invalid code is sent, and the error must differ
 * from that of a wrong secret.
 */
function checkApp(
  { http, endpoints }: Pick<ConnectContext, 'http' | 'endpoints'>,
  app: App,
  login: string,
): Promise<AppCheck> {
  const clientOf = (given: App) => ({ client_id: given.clientId, client_secret: given.clientSecret });
  const rejected = ['101', /client (?:id|secret)|platform app/i];
  if (login === 'facebook')
    return probeApp('Facebook', { rejected }, app, (given) => {
      const query = new URLSearchParams({ ...clientOf(given), ...CLIENT_CREDENTIALS });
      return http({ method: 'GET', url: `${endpoints.facebookGraph}/${VERSION}/oauth/access_token?${query}` });
    });
  const code = { grant_type: 'authorization_code', redirect_uri: 'https://localhost/', code: 'invalid' };
  return probeApp('Instagram', { rejected, accepted: [/\bcode\b/i] }, app, (given) =>
    http({
      method: 'POST',
      url: `${endpoints.instagramApi}/oauth/access_token`,
      form: { ...clientOf(given), ...code },
    }),
  );
}

/** The requested login, else the first one that has an app. */
function loginFor({ apps }: ConnectContext, asked: string | undefined): Login {
  if (asked === 'instagram' || asked === 'facebook') return asked;
  return !apps.instagram && apps.facebook ? 'facebook' : 'instagram';
}

function appOf({ apps }: ConnectContext, login: Login): App {
  return ownAppOf({ app: apps[login] ?? null }, { name: 'Instagram', appName: login, appIdVariable: 'APP_ID' });
}

/** @throws PlatformError */
async function exchangeInstagram(
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
  const long = await longToken(context, 'access_token', {
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
async function refreshInstagram(context: ConnectContext, tokens: Tokens): Promise<Tokens> {
  const accessToken = textAt(tokens.secret, 'accessToken');
  if (!accessToken) throw new PlatformError(noLongerAccepted('Instagram'));
  const obtainedAt = numberAt(tokens.secret, 'obtainedAt');
  if (obtainedAt !== null && context.now() - obtainedAt < DAY) return checkToken(context, tokens);
  try {
    const query = { grant_type: 'ig_refresh_token', access_token: accessToken };
    return await longToken(context, 'refresh_access_token', query);
  } catch (error) {
    if (isFailure(error, 'rejected')) return checkToken(context, tokens);
    throw asEnded(error, 'Instagram');
  }
}

/** Returns the same token if it still works. @throws PlatformError */
async function checkToken(context: ConnectContext, tokens: Tokens): Promise<Tokens> {
  try {
    await apiFor(context, 'instagram', textAt(tokens.secret, 'accessToken')).get('me', { fields: 'user_id' });
  } catch (error) {
    throw asEnded(error, 'Instagram');
  }
  const expiresAt = numberAt(tokens.secret, 'expiresAt') ?? 0;
  const left = Math.floor((expiresAt - context.now()) / SECOND);
  return { ...tokens, expiresIn: left > 0 ? left : DAY_SECONDS };
}

/** @throws PlatformError */
async function longToken(context: ConnectContext, path: string, query: Record<string, string>): Promise<Tokens> {
  const url = `${context.endpoints.instagramGraph}/${path}?${new URLSearchParams(query)}`;
  const body = graphBody(await context.http({ method: 'GET', url }), failureOf);
  const accessToken = accessTokenIn(body, 'Instagram');
  const expiresIn = numberAt(body, 'expires_in') ?? LONG_LIVED_SECONDS;
  const obtainedAt = context.now();
  return {
    secret: { login: 'instagram', accessToken, obtainedAt, expiresAt: obtainedAt + expiresIn * SECOND },
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
  const entry = at(body, 'data', 0) ?? body;
  const token = textAt(entry, 'access_token');
  if (response.status === 200 && token) return { token, scopes: scopesIn(entry) };
  throw new PlatformError(exchangeFailure(response));
}

/** Parses a list or a comma-separated string. */
function scopesIn(body: unknown): readonly string[] {
  const given = at(body, 'permissions');
  const scopes = Array.isArray(given) ? given.map(String) : textAt(body, 'permissions').split(/[\s,]+/);
  return scopes.filter(Boolean);
}

/** The code exchange has its own error format: `{"error_type","code","error_message"}`. */
function exchangeFailure(response: HttpResponse): Failure {
  const words = tameWords(textAt(response.tryJson(), 'error_message'));
  const { status } = response;
  if (graphCode(response) || !words || status >= 500) return failureOf(response);
  return { ...withWords(setup(say('sign_in_failed', { status })), words), status };
}

/** Returns the first account. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const [first] = await identifyAll(context, tokens);
  if (!first) throw new PlatformError(NO_ACCOUNT);
  return first;
}

/**
 * Returns the one account of Instagram Login, or all accounts linked to the Pages of Facebook Login. @throws
 * PlatformError
 */
export async function identifyAll(context: ConnectContext, tokens: Tokens): Promise<readonly AccountFacts[]> {
  if (loginOf(tokens.secret) === 'instagram') return [await instagramAccount(context, tokens.secret)];
  const found = await facebookAccounts(context, tokens);
  if (found.length === 0) throw new PlatformError(NO_ACCOUNT);
  return found;
}

const NO_ACCOUNT = setup(say('accounts_missing'));

async function instagramAccount(context: ConnectContext, secret: JsonObject): Promise<AccountFacts> {
  // A single unknown field fails the whole call, so only fields that every documentation page lists are requested.
  const fields = 'user_id,username,name,account_type,profile_picture_url';
  const me = await apiFor(context, 'instagram', textAt(secret, 'accessToken')).get('me', { fields });
  if (textAt(me, 'account_type').toUpperCase() === 'PERSONAL') throw new PlatformError(setup(say('account_personal')));
  // With this login, Instagram fetches the video from us. Only Facebook Login supports uploads.
  return { ...factsOf(textAt(me, 'user_id'), me), extra: { login: 'instagram' }, fetchesMedia: true };
}
