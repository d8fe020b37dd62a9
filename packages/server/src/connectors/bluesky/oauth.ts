/** OAuth for the AT Protocol: pushed authorization requests, PKCE, and DPoP-bound tokens (atproto.com/specs/oauth). */
import * as oauth from 'oauth4webapi';
import { type HttpResponse, NetworkError } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, Json, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { reconnect, rejected, setup, transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { oauthFetch } from '../kit/oauth-fetch.ts';
import { identifierFrom, serviceFrom } from './address.ts';
import { failureOf as answerFailure, codeOf, told } from './classify.ts';
import { type ClientKind, clientAuth, clientIdentity, proofHandle, SCOPES } from './client.ts';
import { newProofKey, proof } from './dpop.ts';
import { reach, resolveDid, resolveIdentity, unreachable } from './identity.ts';

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
    { name: 'identifier', label: 'Handle, for instance nora.bsky.social', required: false },
    { name: 'service', label: 'Server, for instance bsky.social', required: false },
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
  const answer = await conversation.run(
    (as, me, auth, options) =>
      oauth.authorizationCodeGrantRequest(as, me, auth, callback, kept('redirectUri'), kept('verifier'), options),
    oauth.processAuthorizationCodeResponse,
  );
  const did = textAt(answer, 'sub');
  if (!did.startsWith('did:') || (kept('did') && did !== kept('did')))
    throw new PlatformError(rejected('permission', 'Another account gave the consent.'));
  // The issuer must be the authorization server that the account's own server names.
  const { pds } = await resolveDid(context, did);
  if ((await issuerOf(context, pds)) !== server.issuer)
    throw new PlatformError(setup('The account does not belong to the server that answered.'));
  const { clientId, issuer, tokenEndpoint, revocationEndpoint } = input.kept as Record<string, string>;
  const identity = { did, kind, clientId, issuer, tokenEndpoint, revocationEndpoint, dpop, since: context.now() };
  return tokensFrom(answer, identity as JsonObject, pds, context.now());
}

async function refresh(context: ConnectContext, tokens: Tokens): Promise<Tokens> {
  const { secret } = tokens;
  const dpop = at(secret, 'dpop') as JsonObject;
  const kind = textAt(secret, 'kind') as ClientKind;
  const conversation = await converse(context, storedServer(secret), textAt(secret, 'clientId'), kind, dpop);
  const answer = await conversation.run(
    (as, me, auth, options) => oauth.refreshTokenGrantRequest(as, me, auth, textAt(secret, 'refreshToken'), options),
    oauth.processRefreshTokenResponse,
  );
  if (textAt(answer, 'sub') !== textAt(secret, 'did'))
    throw new PlatformError(reconnect('The server renewed the tokens of another account.'));
  return tokensFrom(answer, secret, tokens.service, context.now());
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
    return context.http({ method: 'POST', url, headers, form: Object.fromEntries(body) });
  };
  try {
    const first = await attempt(undefined);
    const wanted = codeOf(first) === 'use_dpop_nonce' ? first.headers['dpop-nonce'] : undefined;
    const answer = wanted === undefined ? first : await attempt(wanted);
    if (answer.status === 429 || answer.status >= 500) throw new PlatformError(answerFailure(answer, context.now()));
  } catch (error) {
    throw error instanceof NetworkError ? unreachable(url, error) : error;
  }
}

/** @param identity fields that stay unchanged across refreshes */
function tokensFrom(answer: object, identity: JsonObject, service: string, now: number): Tokens {
  const seconds = at(answer, 'expires_in');
  const refreshToken = textAt(answer, 'refresh_token');
  const secret: JsonObject = { ...identity, accessToken: textAt(answer, 'access_token') };
  delete secret.refreshToken;
  if (refreshToken) secret.refreshToken = refreshToken;
  const since = at(identity, 'since');
  const ended = typeof since === 'number' ? Math.floor((now - since) / 1000) : 0;
  const left = identity.kind === 'public' ? Math.max(PUBLIC_LIFE_SECONDS - ended, 1) : CONFIDENTIAL_LIFE_SECONDS;
  return {
    secret,
    scopes: textAt(answer, 'scope').split(' ').filter(Boolean),
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
  const answer = await reach(context, `${issuer}/.well-known/oauth-authorization-server`);
  const server = answer.status === 200 ? answer.tryJson() : null;
  if (textAt(server, 'issuer') !== issuer || !textAt(server, 'pushed_authorization_request_endpoint'))
    throw new PlatformError({
      kind: answer.status >= 500 || answer.status === 429 ? 'transient' : 'setup',
      detail: `The server ${URL.parse(issuer)?.host ?? ''} does not offer consent by OAuth. Use an app password.`,
    });
  return server as unknown as oauth.AuthorizationServer;
}

async function issuerOf(context: ConnectContext, service: string): Promise<string> {
  const answer = await reach(context, `${service}/.well-known/oauth-protected-resource`);
  const named = answer.status === 200 ? at(answer.tryJson() as Json, 'authorization_servers', 0) : undefined;
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
    [oauth.customFetch]: oauthFetch(context.http) as never,
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
        throw error instanceof NetworkError ? unreachable(as.issuer, error) : inOurWords(error);
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
    throw inOurWords(error);
  }
}

/** Converts errors of oauth4webapi to failures. A response that is not OAuth is transient. */
function inOurWords(error: unknown): unknown {
  if (error instanceof PlatformError) return error;
  return new PlatformError(failureOf(error), { cause: error });
}

function failureOf(error: unknown): Failure {
  if (error instanceof oauth.AuthorizationResponseError)
    return error.error === 'access_denied'
      ? { kind: 'rejected', what: 'permission', platformCode: error.error, detail: 'The connection was not allowed.' }
      : { kind: 'setup', platformCode: error.error, detail: `The server refused the connection (${error.error}).` };
  if (error instanceof oauth.ResponseBodyError) {
    const common = { platformCode: error.error, status: error.status };
    const detail = `The server refused (${told(error.error, error.error_description ?? '')}).`;
    if (error.status >= 500 || error.status === 429) return { ...common, kind: 'transient', detail };
    if (error.error === 'invalid_grant') return { ...common, kind: 'reconnect', detail };
    return { ...common, kind: 'setup', detail };
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return { kind: 'setup', status: error.status, detail: `The server refused the proof (${error.status}).` };
  return transient('The server gave an answer that is no OAuth answer.');
}
