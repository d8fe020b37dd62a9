/** OAuth for Threads. */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, Json, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { appOf, codeIn } from '../kit/oauth.ts';
import { call } from './api.ts';
import { exchangeFailure, tokenFailure } from './classify.ts';

const APP = { name: 'Threads', appIdVariable: 'APP_ID' } as const;
const SCOPES = ['threads_basic', 'threads_content_publish'] as const;
const SIXTY_DAYS_SECONDS = 5_184_000;
/** Assumed lifetime of a valid token that cannot be refreshed yet, so that the refresh is retried, seconds. */
const SOON_SECONDS = 5 * 86_400;

/**
 * The code yields a token for an hour, which is exchanged at once for one of sixty days. That token is refreshed with
 * itself; there is no refresh token.
 *
 * Neither response lists the granted scopes. `identify` detects a missing scope.
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
      scope: SCOPES.join(','),
      response_type: 'code',
      state,
    });
    return { url: `${context.endpoints.www}/oauth/authorize?${query}`, kept: {} };
  },
  async exchange(context, { query, redirectUri }) {
    const code = codeIn(query, 'Threads').replace(/#_$/, '');
    const { clientId, clientSecret } = appOf(context, APP);
    const short = await context.http({
      method: 'POST',
      url: `${context.endpoints.graph}/oauth/access_token`,
      form: {
        client_id: clientId,
        client_secret: clientSecret,
        code,
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
      },
    });
    const access_token = textAt(tokenIn(short), 'access_token');
    if (!access_token) throw new PlatformError(exchangeFailure(short));
    return exchangeToken(context, '/access_token', {
      grant_type: 'th_exchange_token',
      client_secret: clientSecret,
      access_token,
    });
  },
  /** A token younger than a day cannot be refreshed yet. If it still works, it is kept. */
  async refresh(context, tokens) {
    const access_token = textAt(tokens.secret, 'accessToken');
    try {
      return await exchangeToken(context, '/refresh_access_token', { grant_type: 'th_refresh_token', access_token });
    } catch (error) {
      const kind = error instanceof PlatformError ? error.failure.kind : 'transient';
      if (kind === 'transient' || kind === 'rateLimited' || !(await works(context, tokens))) throw error;
      return { ...tokens, expiresIn: SOON_SECONDS };
    }
  },
  tokensFrom,
};

/** @throws PlatformError if this cannot be determined */
async function works(context: ConnectContext, { secret }: Tokens): Promise<boolean> {
  try {
    await call({ ...context, secret }, 'GET', '/me', { fields: 'id' });
    return true;
  } catch (error) {
    const kind = error instanceof PlatformError ? error.failure.kind : 'transient';
    if (kind === 'tokenExpired' || kind === 'reconnect') return false;
    throw error;
  }
}

/** @throws PlatformError */
async function exchangeToken(context: ConnectContext, path: string, query: Record<string, string>): Promise<Tokens> {
  const url = `${context.endpoints.graph}${path}?${new URLSearchParams(query)}`;
  const response = await context.http({ method: 'GET', url });
  const body = tokenIn(response);
  if (!textAt(body, 'access_token')) throw new PlatformError(tokenFailure(response));
  return tokensFrom(body);
}

function tokenIn(response: HttpResponse): JsonObject {
  const body: Json = response.tryJson();
  return body !== null && typeof body === 'object' && !Array.isArray(body) ? body : {};
}

/** @throws PlatformError */
function tokensFrom(response: JsonObject): Tokens {
  const accessToken = textAt(response, 'access_token');
  if (!accessToken) throw new PlatformError(transient('Threads gave no token.'));
  return {
    secret: { accessToken },
    scopes: [],
    expiresIn: numberAt(response, 'expires_in') ?? SIXTY_DAYS_SECONDS,
    refreshExpiresIn: null,
    service: '',
  };
}
