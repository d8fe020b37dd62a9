/** A test platform with standard OAuth consent, connected by the accounts module. */
import * as oauth from 'oauth4webapi';
import type { ConnectContext, Connector, OAuthFlow, Tokens } from '../../../src/connectors/contract.ts';
import { textAt } from '../../../src/connectors/kit/json.ts';
import { oauthFetch } from '../../../src/connectors/kit/oauth-fetch.ts';
import { NetworkError } from '../../../src/outbound/http-client.ts';
import { type Failure, PlatformError } from '../../../src/outbound/platform-error.ts';
import { messageOf } from '../../harness/message.ts';

export const SCOPES = ['who', 'post'] as const;

/**
 * @param base connector for everything but consent
 * @param api the server's URL
 */
export function standardConnector(base: Connector, api: string): Connector {
  return {
    ...base,
    endpoints: { api },
    choices: [],
    oauth: flow,
    credentials: null,
    identifyAll: undefined,
    async identify({ http, endpoints }, { secret }) {
      const headers = { authorization: `Bearer ${textAt(secret, 'accessToken')}` };
      const response = await http({ method: 'GET', url: `${endpoints.api}/me`, headers });
      if (response.status !== 200)
        throw new PlatformError({ kind: 'tokenExpired', detail: messageOf('The token is not taken.') });
      const username = textAt(response.tryJson(), 'user');
      const { capabilities } = base;
      return { remoteId: `id-${username}`, username, displayName: username, avatarUrl: '', capabilities };
    },
  };
}

const flow: OAuthFlow = {
  needsApp: true,
  asks: [],
  scopes: SCOPES,
  async authorize(context, { state, redirectUri }) {
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(`${context.endpoints.api}/auth`);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientOf(context).client_id,
      redirect_uri: redirectUri,
      scope: SCOPES.join(' '),
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    return { url: url.href, kept: { verifier, state } };
  },
  exchange: (context, { query, redirectUri, kept }) =>
    inOurWords(async () => {
      const [server, client] = [serverOf(context), clientOf(context)];
      const callback = oauth.validateAuthResponse(server, client, query, textAt(kept, 'state'));
      const [auth, verifier, options] = [authOf(context), textAt(kept, 'verifier'), optionsOf(context)];
      const args = [server, client, auth, callback, redirectUri, verifier, options] as const;
      const response = await oauth.authorizationCodeGrantRequest(...args);
      return tokensFrom(await oauth.processAuthorizationCodeResponse(server, client, response));
    }),
  refresh: (context, { secret }) =>
    inOurWords(async () => {
      const [server, client] = [serverOf(context), clientOf(context)];
      const token = textAt(secret, 'refreshToken');
      const response = await oauth.refreshTokenGrantRequest(server, client, authOf(context), token, optionsOf(context));
      return tokensFrom(await oauth.processRefreshTokenResponse(server, client, response));
    }),
  revoke: (context, { secret }) =>
    inOurWords(async () => {
      const token = textAt(secret, 'refreshToken');
      const args = [serverOf(context), clientOf(context), authOf(context), token, optionsOf(context)] as const;
      await oauth.processRevocationResponse(await oauth.revocationRequest(...args));
    }),
};

function serverOf({ endpoints }: ConnectContext): oauth.AuthorizationServer {
  const issuer = endpoints.api ?? '';
  return { issuer, token_endpoint: `${issuer}/token`, revocation_endpoint: `${issuer}/token/revocation` };
}

function clientOf({ app }: ConnectContext): oauth.Client {
  return { client_id: app?.clientId ?? '' };
}

function authOf({ app }: ConnectContext): oauth.ClientAuth {
  return oauth.ClientSecretBasic(app?.clientSecret ?? '');
}

function optionsOf({ http }: ConnectContext) {
  return { [oauth.customFetch]: oauthFetch(http) as never, [oauth.allowInsecureRequests]: true };
}

function tokensFrom(response: oauth.TokenEndpointResponse): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, scope = '', expires_in: expiresIn = null } = response;
  return {
    secret: { accessToken, ...(refreshToken ? { refreshToken } : {}) },
    scopes: scope.split(' '),
    expiresIn,
    refreshExpiresIn: null,
    service: '',
  };
}

async function inOurWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NetworkError) throw error;
    throw new PlatformError(failureOf(error), { cause: error });
  }
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof oauth.ResponseBodyError)) return { kind: 'transient', detail: messageOf('No OAuth answer.') };
  const { error: platformCode, status } = error;
  const kind = platformCode === 'invalid_grant' ? 'reconnect' : 'setup';
  return { kind, platformCode, status, detail: messageOf(`The server refused (${platformCode}).`) };
}
