/** OAuth for Threads. */
import { DAY, SECOND } from '../../lib/time.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, OAuthFlow, Tokens } from '../contract.ts';
import { CLIENT_CREDENTIALS } from '../kit/app-check.ts';
import { isFailure } from '../kit/failures.ts';
import { LONG_LIVED_SECONDS } from '../kit/graph-api.ts';
import { textAt } from '../kit/json.ts';
import { appOf, codeIn, defineOAuth } from '../kit/oauth.ts';
import { tokenResponse } from '../kit/token-response.ts';
import { apiOf } from './api.ts';
import { exchangeFailure, tokenFailure } from './classify.ts';

const APP = { name: 'Threads', appIdVariable: 'APP_ID' } as const;
/** Assumed lifetime of a valid token that cannot be refreshed yet, so that the refresh is retried, seconds. */
const SOON_SECONDS = (5 * DAY) / SECOND;

const flow = defineOAuth({
  ...APP,
  scopes: ['threads_basic', 'threads_content_publish'],
  separator: ',',
  consent: ({ www }) => `${www}/oauth/authorize`,
  token: ({ graph }) => `${graph}/oauth/access_token`,
  client: 'form',
  accepts: () => true,
  lifeSeconds: LONG_LIVED_SECONDS,
  failureOf: exchangeFailure,
  // "App Access Tokens".
  probe: { method: 'GET', form: CLIENT_CREDENTIALS, rejected: ['101', /client secret|platform app/i] },
});

/**
 * The code yields a token for an hour, which is exchanged at once for one of sixty days. That token is refreshed with
 * itself; there is no refresh token.
 *
 * Neither response lists the granted scopes. `identify` detects a missing scope.
 */
export const oauth: OAuthFlow = {
  ...flow,
  async exchange(context, input) {
    const code = codeIn(input.query, APP.name).replace(/#_$/, '');
    const short = await flow.exchange(context, { ...input, query: new URLSearchParams({ code }) });
    return requestToken(context, '/access_token', {
      grant_type: 'th_exchange_token',
      client_secret: appOf(context, APP).clientSecret,
      access_token: textAt(short.secret, 'accessToken'),
    });
  },
  /** A token younger than a day cannot be refreshed yet. If it still works, it is kept. */
  async refresh(context, tokens) {
    const access_token = textAt(tokens.secret, 'accessToken');
    try {
      return await requestToken(context, '/refresh_access_token', { grant_type: 'th_refresh_token', access_token });
    } catch (error) {
      const isTemporary = !(error instanceof PlatformError) || isFailure(error, 'transient', 'rateLimited');
      if (isTemporary || !(await works(context, tokens))) throw error;
      return { ...tokens, expiresIn: SOON_SECONDS };
    }
  },
};

/** @throws PlatformError if this cannot be determined */
async function works(context: ConnectContext, { secret }: Tokens): Promise<boolean> {
  try {
    await apiOf({ ...context, secret }).get('me', { fields: 'id' });
    return true;
  } catch (error) {
    if (isFailure(error, 'tokenExpired', 'reconnect')) return false;
    throw error;
  }
}

/** @throws PlatformError */
async function requestToken(context: ConnectContext, path: string, query: Record<string, string>): Promise<Tokens> {
  const url = `${context.endpoints.graph}${path}?${new URLSearchParams(query)}`;
  const response = await context.http({ method: 'GET', url });
  const body = tokenResponse(response.tryJson());
  if (!body) throw new PlatformError(tokenFailure(response));
  return flow.tokensFrom(body, '');
}
