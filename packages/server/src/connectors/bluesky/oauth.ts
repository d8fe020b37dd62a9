/** OAuth for the AT Protocol: pushed authorization requests, PKCE, and DPoP-bound tokens (atproto.com/specs/oauth). */
import * as oauth from 'oauth4webapi';
import type { HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, Json, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { reconnect, rejected, setup, transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { withNetworkFailures } from '../kit/network-failures.ts';
import { libraryFailure, oauthFetch } from '../kit/oauth-fetch.ts';
import { codeOf, failureOf as responseFailure } from './classify.ts';
import { type ClientKind, clientAuth, clientIdentity, proofHandle, SCOPES } from './client.ts';
import { identifierFrom, reach, resolveDid, resolveIdentity, serviceFrom } from './identity.ts';
import { say } from './messages.ts';
import { newProofKey, proof } from './pds.ts';

const DAY_SECONDS = 86_400;
/**
 * Session lifetimes in seconds. Sessions of public clients end after two weeks regardless of refreshes. Unused refresh
 * tokens of confidential clients expire after 3 months.
 */
const PUBLIC_LIFE_SECONDS = 14 * DAY_SECONDS;
const CONFIDENTIAL_LIFE_SECONDS = 90 * DAY_SECONDS;

export const flow: OAuthFlow = {
  needsApp: false,
  asks: [
    {
      name: 'identifier',
      title: { en: 'Handle', de: 'Handle' },
      hint: { en: 'For example nora.bsky.social.', de: 'Zum Beispiel nora.bsky.social.' },
      required: false,
    },
    {
      name: 'service',
      title: { en: 'Server', de: 'Server' },
      hint: { en: 'For example bsky.social.', de: 'Zum Beispiel bsky.social.' },
      required: false,
    },
  ],
  scopes: SCOPES,
  authorize,
  exchange,
  refresh,
  revoke,
};

async function authorize(
  context: ConnectContext,
  input: Parameters<OAuthFlow['authorize']>[1],
): Promise<{ url: string; kept: JsonObject }> {
  const client = clientIdentity(context.publicUrl, input.redirectUri);
  const named = input.service ? serviceFrom(input.service) : undefined;
  const identifier = input.identifier ? identifierFrom(input.identifier) : '';
  const identity = identifier ? await resolveIdentity(context, identifier, named) : null;
  const server = await serverOf(context, identity?.pds ?? named ?? context.endpoints.entryway ?? '');
  const verifier = oauth.generateRandomCodeVerifier();
  const dpop = newProofKey();
  const conversation = await converse(context, server, client.clientId, client.kind, dpop);
  const parameters = {
    response_type: 'code',
    redirect_uri: client.redirectUri,
    scope: SCOPES.join(' '),
    state: input.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(identifier ? { login_hint: identifier } : {}),
  };
  const pushed = await conversation.run(
    (as, me, auth, options) => oauth.pushedAuthorizationRequest(as, me, auth, parameters, options),
    oauth.processPushedAuthorizationResponse,
  );
  const url = new URL(server.authorization_endpoint ?? '');
  url.searchParams.set('client_id', client.clientId);
  url.searchParams.set('request_uri', pushed.request_uri);
  return {
    url: url.href,
    kept: {
      ...client,
      verifier,
      dpop,
      state: input.state,
      did: identity?.did ?? '',
      issuer: server.issuer,
      tokenEndpoint: server.token_endpoint ?? '',
      revocationEndpoint: server.revocation_endpoint ?? '',
    },
  };
}

async function exchange(context: ConnectContext, input: Parameters<OAuthFlow['exchange']>[1]): Promise<Tokens> {
  const kept = (name: string) => textAt(input.kept, name);
  const server = storedServer(input.kept);
  const dpop = at(input.kept, 'dpop') as JsonObject;
  const kind = kept('kind') as ClientKind;
  const conversation = await converse(context, server, kept('clientId'), kind, dpop);
  const callback = guarded(() =>
    oauth.validateAuthResponse(server, { client_id: kept('clientId') }, input.query, kept('state')),
  );
  const response = await conversation.run(
    (as, me, auth, options) =>
      oauth.authorizationCodeGrantRequest(as, me, auth, callback, kept('redirectUri'), kept('verifier'), options),
    oauth.processAuthorizationCodeResponse,
  );
  const did = textAt(response, 'sub');
  if (!did.startsWith('did:') || (kept('did') && did !== kept('did')))
    throw new PlatformError(rejected('permission', say('other_account_consented')));
  // The issuer must be the authorization server that the account's own server names.
  const { pds } = await resolveDid(context, did);
  if ((await issuerOf(context, pds)) !== server.issuer) throw new PlatformError(setup(say('server_mismatch')));
  const { clientId, issuer, tokenEndpoint, revocationEndpoint } = input.kept as Record<string, string>;
  const identity = { did, kind, clientId, issuer, tokenEndpoint, revocationEndpoint, dpop, since: context.now() };
  return tokensFrom(response, identity as JsonObject, pds, context.now());
}

async function refresh(context: ConnectContext, tokens: Tokens): Promise<Tokens> {
  const { secret } = tokens;
  const dpop = at(secret, 'dpop') as JsonObject;
  const kind = textAt(secret, 'kind') as ClientKind;
  const conversation = await converse(context, storedServer(secret), textAt(secret, 'clientId'), kind, dpop);
  const response = await conversation.run(
    (as, me, auth, options) => oauth.refreshTokenGrantRequest(as, me, auth, textAt(secret, 'refreshToken'), options),
    oauth.processRefreshTokenResponse,
  );
  if (textAt(response, 'sub') !== textAt(secret, 'did')) throw new PlatformError(reconnect(say('other_account')));
  return tokensFrom(response, secret, tokens.service, context.now());
}

/**
 * Revokes the session. The request is custom: servers revoke a DPoP-bound token only with a proof of its key, but also
 * return 200 without one (PDS 0.5.35).
 */
async function revoke(context: ConnectContext, tokens: Tokens): Promise<void> {
  const { secret } = tokens;
  const url = textAt(secret, 'revocationEndpoint');
  if (!url) return;
  const dpop = at(secret, 'dpop') as JsonObject;
  const auth = await clientAuth(context, textAt(secret, 'kind') as ClientKind);
  const me: oauth.Client = { client_id: textAt(secret, 'clientId'), [oauth.clockSkew]: skewOf(context) };
  const attempt = async (nonce: string | undefined): Promise<HttpResponse> => {
    const body = new URLSearchParams({ token: textAt(secret, 'refreshToken'), token_type_hint: 'refresh_token' });
    await auth(storedServer(secret), me, body, new Headers());
    const headers = { dpop: proof(dpop, { method: 'POST', url, nonce, now: context.now() }) };
    return withNetworkFailures(context.http)({ method: 'POST', url, headers, form: Object.fromEntries(body) });
  };
  const first = await attempt(undefined);
  const nonce = codeOf(first) === 'use_dpop_nonce' ? first.headers['dpop-nonce'] : undefined;
  const response = nonce === undefined ? first : await attempt(nonce);
  if (response.status === 429 || response.status >= 500)
    throw new PlatformError(responseFailure(response, context.now()));
}

/** @param identity fields that stay unchanged across refreshes */
function tokensFrom(response: object, identity: JsonObject, service: string, now: number): Tokens {
  const seconds = at(response, 'expires_in');
  const refreshToken = textAt(response, 'refresh_token');
  const secret: JsonObject = { ...identity, accessToken: textAt(response, 'access_token') };
  delete secret.refreshToken;
  if (refreshToken) secret.refreshToken = refreshToken;
  const since = at(identity, 'since');
  const ended = typeof since === 'number' ? Math.floor((now - since) / 1000) : 0;
  const left = identity.kind === 'public' ? Math.max(PUBLIC_LIFE_SECONDS - ended, 1) : CONFIDENTIAL_LIFE_SECONDS;
  return {
    secret,
    scopes: textAt(response, 'scope').split(' ').filter(Boolean),
    expiresIn: typeof seconds === 'number' ? seconds : 3_600,
    refreshExpiresIn: refreshToken ? left : null,
    service,
  };
}

/**
 * Finds the authorization server of an account's server. The URL may also be an authorization server itself. @throws
 * PlatformError
 */
async function serverOf(context: ConnectContext, service: string): Promise<oauth.AuthorizationServer> {
  const issuer = await issuerOf(context, service);
  const response = await reach(context, `${issuer}/.well-known/oauth-authorization-server`);
  const server = response.status === 200 ? response.tryJson() : null;
  if (textAt(server, 'issuer') !== issuer || !textAt(server, 'pushed_authorization_request_endpoint'))
    throw new PlatformError({
      kind: response.status >= 500 || response.status === 429 ? 'transient' : 'setup',
      detail: say('oauth_unsupported', { host: URL.parse(issuer)?.host ?? '' }),
    });
  return server as unknown as oauth.AuthorizationServer;
}

async function issuerOf(context: ConnectContext, service: string): Promise<string> {
  const response = await reach(context, `${service}/.well-known/oauth-protected-resource`);
  const named = response.status === 200 ? at(response.tryJson() as Json, 'authorization_servers', 0) : undefined;
  return typeof named === 'string' ? serviceFrom(named) : service;
}

function storedServer(kept: JsonObject): oauth.AuthorizationServer {
  return {
    issuer: textAt(kept, 'issuer'),
    token_endpoint: textAt(kept, 'tokenEndpoint'),
    revocation_endpoint: textAt(kept, 'revocationEndpoint'),
    authorization_response_iss_parameter_supported: true,
  };
}

interface Conversation {
  /** Sends a request and reads its response. Retries once if the server requires a DPoP nonce. */
  run<T>(
    request: (
      as: oauth.AuthorizationServer,
      me: oauth.Client,
      auth: oauth.ClientAuth,
      options: oauth.TokenEndpointRequestOptions,
    ) => Promise<Response>,
    read: (as: oauth.AuthorizationServer, me: oauth.Client, response: Response) => Promise<T>,
  ): Promise<T>;
}

async function converse(
  context: ConnectContext,
  as: oauth.AuthorizationServer,
  clientId: string,
  kind: ClientKind,
  dpop: JsonObject,
): Promise<Conversation> {
  const me: oauth.Client = { client_id: clientId, [oauth.clockSkew]: skewOf(context) };
  const auth = await clientAuth(context, kind);
  const options = {
    DPoP: await proofHandle(me, dpop),
    [oauth.customFetch]: oauthFetch(withNetworkFailures(context.http)) as never,
    // Our HTTP client's address guard decides where plain HTTP is allowed.
    [oauth.allowInsecureRequests]: true,
  };
  return {
    async run(request, read) {
      const attempt = async () => read(as, me, await request(as, me, auth, options));
      try {
        return await attempt().catch((error: unknown) => {
          if (oauth.isDPoPNonceError(error)) return attempt();
          throw error;
        });
      } catch (error) {
        throw asPlatformError(error);
      }
    },
  };
}

/** Returns the offset in seconds of the context's clock from the machine's clock. */
function skewOf(context: ConnectContext): number {
  return Math.round((context.now() - Date.now()) / 1000);
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asPlatformError(error);
  }
}

/** Converts errors of oauth4webapi to failures. */
function asPlatformError(error: unknown): PlatformError {
  return error instanceof PlatformError ? error : new PlatformError(failureOf(error), { cause: error });
}

function failureOf(error: unknown): Failure {
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return { ...setup(say('proof_rejected', { status: error.status })), status: error.status };
  return libraryFailure(error, 'Bluesky', ({ error: code, status }) => {
    if (status >= 500 || status === 429) return transient(say('error_temporary', { code }));
    return code === 'invalid_grant' ? reconnect(say('connection_ended')) : setup(say('app_rejected', { code }));
  });
}
