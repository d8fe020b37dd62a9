/** OAuth for Facebook. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, Json, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { appOf, codeIn } from '../kit/oauth.ts';
import { graph, VERSION } from './api.ts';
import { tokenFailure } from './classify.ts';
import { listPages } from './identify.ts';

const APP = { name: 'Facebook', appIdVariable: 'APP_ID' } as const;
const SCOPES = ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'] as const;

/**
 * Facebook Login. Publishing uses a token per Page, which does not expire. The login's own token lasts sixty days and
 * requests new Page tokens. So the connection has no known expiry.
 */
export const oauth: OAuthFlow = {
  needsApp: true,
  appIdVariable: APP.appIdVariable,
  asks: [],
  scopes: SCOPES,
  async authorize(context, { state, redirectUri }) {
    const query = new URLSearchParams({
      client_id: appOf(context, APP).clientId,
      redirect_uri: redirectUri,
      state,
      response_type: 'code',
      scope: SCOPES.join(','),
      // Asks again for permissions that were declined before.
      auth_type: 'rerequest',
    });
    return { url: `${context.endpoints.www}/${VERSION}/dialog/oauth?${query}`, kept: {} };
  },
  async exchange(context, { query, redirectUri }) {
    const code = codeIn(query, 'Facebook');
    const short = await token(context, { redirect_uri: redirectUri, code });
    const long = await lengthened(context, textAt(short, 'access_token'));
    const accessToken = textAt(long, 'access_token');
    const [scopes, pages] = [await grantedScopes(context, accessToken), await pageTokens(context, accessToken)];
    return { ...tokensFrom(long), scopes, secret: { accessToken, pages } };
  },
  /**
   * Called when Facebook rejects both the Page token and the login's token. If the latter still works after all, both
   * are renewed.
   */
  async refresh(context, tokens) {
    const long = await lengthened(context, textAt(tokens.secret, 'accessToken'));
    const accessToken = textAt(long, 'access_token');
    const secret: JsonObject = { accessToken };
    if (tokens.secret.pages !== undefined) secret.pages = await pageTokens(context, accessToken);
    return { ...tokensFrom(long), scopes: tokens.scopes, secret };
  },
  async revoke(context, tokens) {
    try {
      await graph(context, 'DELETE', '/me/permissions', textAt(tokens.secret, 'accessToken'));
    } catch (error) {
      // If the token is already invalid, nothing is left to revoke.
      const kind = error instanceof PlatformError ? error.failure.kind : 'transient';
      if (kind === 'transient' || kind === 'rateLimited') throw error;
    }
  },
  tokensFrom,
};

/** @throws PlatformError */
function tokensFrom(response: JsonObject): Tokens {
  const accessToken = textAt(response, 'access_token');
  if (!accessToken) throw new PlatformError(transient('Facebook gave no token.'));
  return { secret: { accessToken }, scopes: [], expiresIn: null, refreshExpiresIn: null, service: '' };
}

function lengthened(context: ConnectContext, accessToken: string): Promise<JsonObject> {
  return token(context, { grant_type: 'fb_exchange_token', fb_exchange_token: accessToken });
}

/** @throws PlatformError */
async function token(context: ConnectContext, form: Record<string, string>): Promise<JsonObject> {
  const { clientId, clientSecret } = appOf(context, APP);
  const response = await context.http({
    method: 'POST',
    url: `${context.endpoints.graph}/${VERSION}/oauth/access_token`,
    form: { client_id: clientId, client_secret: clientSecret, ...form },
  });
  const body: Json = response.tryJson();
  if (body === null || typeof body !== 'object' || Array.isArray(body) || !textAt(body, 'access_token'))
    throw new PlatformError(tokenFailure(response));
  return body;
}

async function grantedScopes(context: ConnectContext, accessToken: string): Promise<string[]> {
  const lines = at(await graph(context, 'GET', '/me/permissions', accessToken), 'data');
  return (Array.isArray(lines) ? lines : [])
    .filter((line) => textAt(line, 'status') === 'granted')
    .map((line) => textAt(line, 'permission'));
}

/**
 * Page tokens by Page id. Without the permission to list Pages the result is empty, and the scopes show what is
 * missing.
 */
async function pageTokens(context: ConnectContext, accessToken: string): Promise<JsonObject> {
  try {
    const pages = await listPages(context, accessToken);
    return Object.fromEntries(pages.map((page) => [textAt(page, 'id'), textAt(page, 'access_token')]));
  } catch (error) {
    if (error instanceof PlatformError && error.failure.kind === 'reconnect') return {};
    throw error;
  }
}
