/** OAuth for Facebook, and the Pages of a login. Only Pages can be posted to; personal profiles cannot. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { CLIENT_CREDENTIALS } from '../kit/app-check.ts';
import { isFailure, setup } from '../kit/failures.ts';
import { type GraphApi, grantedScopes, LONG_LIVED_SECONDS, personOf, removeApplication } from '../kit/graph-api.ts';
import { BUSINESS_SCOPE, listPages } from '../kit/graph-pages.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { appOf, codeIn, defineOAuth } from '../kit/oauth.ts';
import { tokenResponse } from '../kit/token-response.ts';
import { apiOf, VERSION } from './api.ts';
import { tokenFailure } from './classify.ts';
import { capabilities } from './limits.ts';
import { say } from './messages.ts';

const PAGE_FIELDS = 'name,username,picture.type(large){url}';
const APP = { name: 'Facebook', appIdVariable: 'APP_ID' } as const;

const flow = defineOAuth({
  ...APP,
  scopes: ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'],
  // Meta leaves out permissions that the application does not have.
  optionalScopes: [BUSINESS_SCOPE, 'pages_manage_metadata'],
  separator: ',',
  consent: ({ www }) => `${www}/${VERSION}/dialog/oauth`,
  token: ({ graph }) => `${graph}/${VERSION}/oauth/access_token`,
  // Asks again for permissions that were declined before.
  extra: { consent: { auth_type: 'rerequest' } },
  client: 'form',
  lifeSeconds: 0,
  adjust: (tokens) => ({ ...tokens, scopes: [], expiresIn: null }),
  failureOf: tokenFailure,
  // "Access Tokens", app access tokens; code 101 is an unknown id, a wrong secret has the ambiguous code 1.
  probe: { method: 'GET', form: CLIENT_CREDENTIALS, rejected: ['101', /client secret/i] },
});

/**
 * Facebook Login. Publishing uses a token per Page, which does not expire. The login's own token lasts sixty days and is
 * renewed; it requests new Page tokens and reads what Meta hides from them.
 */
export const oauth: OAuthFlow = {
  ...flow,
  async exchange(context, { query, redirectUri }) {
    const code = codeIn(query, APP.name);
    const short = await requestToken(context, { redirect_uri: redirectUri, code });
    const long = await lengthen(context, textAt(short, 'access_token'));
    const accessToken = textAt(long, 'access_token');
    const api = apiOf(context, accessToken);
    const scopes = await grantedScopes(api);
    return {
      ...flow.tokensFrom(long, ''),
      expiresIn: lifeOf(long),
      scopes,
      secret: { accessToken, person: await personOf(api), pages: await pageTokens(api, scopes) },
    };
  },
  /**
   * Renews the login's token and the Page tokens. Page tokens outlive the login's token: if that has ended and a Page
   * token still works, they are kept, and nothing is renewed any more.
   */
  async refresh(context, tokens) {
    try {
      const long = await lengthen(context, textAt(tokens.secret, 'accessToken'));
      const accessToken = textAt(long, 'access_token');
      const secret: JsonObject = { ...tokens.secret, accessToken };
      if (tokens.secret.pages !== undefined)
        secret.pages = await pageTokens(apiOf(context, accessToken), tokens.scopes);
      return { ...flow.tokensFrom(long, ''), expiresIn: lifeOf(long), scopes: tokens.scopes, secret };
    } catch (error) {
      if (!isFailure(error, 'tokenExpired', 'reconnect')) throw error;
      const pages = await storedPages(context, tokens.secret);
      if (pages.length === 0) throw error;
      return { ...tokens, expiresIn: null };
    }
  },
  consentOf: ({ secret }) => ({ app: 'facebook', person: textAt(secret, 'person') }),
  revoke: (context, tokens) => removeApplication(apiOf(context, textAt(tokens.secret, 'accessToken'))),
};

/** Lifetime of the login's token in seconds. */
function lifeOf(response: JsonObject): number {
  return numberAt(response, 'expires_in') ?? LONG_LIVED_SECONDS;
}

function lengthen(context: ConnectContext, accessToken: string): Promise<JsonObject> {
  return requestToken(context, { grant_type: 'fb_exchange_token', fb_exchange_token: accessToken });
}

/** @throws PlatformError */
async function requestToken(context: ConnectContext, form: Record<string, string>): Promise<JsonObject> {
  const { clientId, clientSecret } = appOf(context, APP);
  const response = await context.http({
    method: 'POST',
    url: `${context.endpoints.graph}/${VERSION}/oauth/access_token`,
    form: { client_id: clientId, client_secret: clientSecret, ...form },
  });
  const body = tokenResponse(response.tryJson());
  if (!body) throw new PlatformError(tokenFailure(response));
  return body;
}

/**
 * Page tokens by Page id. Without the permission to list Pages the result is empty, and the scopes show what is
 * missing.
 */
async function pageTokens(api: GraphApi, scopes: readonly string[]): Promise<JsonObject> {
  try {
    const pages = await listPages(api, PAGE_FIELDS, scopes);
    return Object.fromEntries(pages.map((page) => [textAt(page, 'id'), textAt(page, 'access_token')]));
  } catch (error) {
    if (isFailure(error, 'reconnect')) return {};
    throw error;
  }
}

const NO_PAGES = setup(say('pages_missing'));

/** Returns the first Page. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const [first] = await identifyAll(context, tokens);
  if (!first) throw new PlatformError(NO_PAGES);
  return first;
}

/** Returns every Page on which the login may create content. @throws PlatformError */
export async function identifyAll(context: ConnectContext, tokens: Tokens): Promise<readonly AccountFacts[]> {
  const pages = await pagesOf(context, tokens);
  if (pages.length === 0) throw new PlatformError(NO_PAGES);
  return pages.map(factsOf);
}

/** The login's token may expire sixty days after consent. The stored Page tokens still work. */
async function pagesOf(context: ConnectContext, { secret, scopes }: Tokens): Promise<readonly unknown[]> {
  try {
    return (await listPages(apiOf(context, textAt(secret, 'accessToken')), PAGE_FIELDS, scopes)).filter(mayCreate);
  } catch (error) {
    if (!isFailure(error, 'tokenExpired', 'reconnect')) throw error;
    const alive = await storedPages(context, secret);
    if (alive.length === 0) throw error;
    return alive;
  }
}

/** Reads the Pages whose stored tokens still work. @throws PlatformError after a temporary failure */
async function storedPages(context: ConnectContext, { pages }: JsonObject): Promise<readonly JsonObject[]> {
  if (typeof pages !== 'object' || pages === null) return [];
  const read = Object.entries(pages).map(([id, token]) => readPage(context, id, String(token)));
  return (await Promise.all(read)).filter((page) => page !== null);
}

/** Returns null if the Page token is invalid too. */
async function readPage(context: ConnectContext, id: string, token: string): Promise<JsonObject | null> {
  try {
    return await apiOf(context, token).get(id, { fields: `id,${PAGE_FIELDS}` });
  } catch (error) {
    if (isFailure(error, 'tokenExpired', 'reconnect')) return null;
    throw error;
  }
}

/** A Page without a `tasks` list counts as having all tasks. */
function mayCreate(page: unknown): boolean {
  const tasks = at(page, 'tasks');
  return !Array.isArray(tasks) || tasks.includes('CREATE_CONTENT');
}

function factsOf(page: unknown): AccountFacts {
  const name = textAt(page, 'name');
  return {
    remoteId: textAt(page, 'id'),
    username: textAt(page, 'username') || name,
    displayName: name,
    avatarUrl: textAt(page, 'picture', 'data', 'url'),
    capabilities,
  };
}
