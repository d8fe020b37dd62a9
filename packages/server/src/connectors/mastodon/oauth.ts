/** OAuth for Mastodon servers. */
import * as oauth from 'oauth4webapi';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { baseOf } from './api.ts';
import { isUnknownClient, oauthOptions, register, registrationFor, SCOPES, serverOf } from './registration.ts';
import { serviceFrom } from './service.ts';

export const flow: OAuthFlow = {
  needsApp: false,
  asks: [{ name: 'service', label: 'Server, for instance mastodon.social', required: true }],
  scopes: SCOPES,
  authorize,
  exchange,
  revoke,
  tokensFrom,
  missingScopes,
};

async function authorize(
  context: ConnectContext,
  input: Parameters<OAuthFlow['authorize']>[1],
): Promise<{ url: string; kept: JsonObject }> {
  const service = context.endpoints.instance ?? serviceFrom(input.service ?? input.identifier ?? '');
  const server = await serverOf(context, service);
  const registration = await registrationFor(context, server, service, input.redirectUri);
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(server.authorization_endpoint ?? '');
  const query = {
    response_type: 'code',
    client_id: registration.clientId,
    redirect_uri: input.redirectUri,
    scope: SCOPES.join(' '),
    state: input.state,
    // Versions before 4.3 ignore both.
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const { issuer, token_endpoint } = server;
  return {
    url: url.href,
    kept: { service, issuer, tokenEndpoint: token_endpoint ?? '', verifier, state: input.state, ...registration },
  };
}

async function exchange(context: ConnectContext, input: Parameters<OAuthFlow['exchange']>[1]): Promise<Tokens> {
  const kept = (name: string) => textAt(input.kept, name);
  const service = kept('service');
  const server = { issuer: kept('issuer'), token_endpoint: kept('tokenEndpoint') };
  const client = { client_id: kept('clientId') };
  const clientSecret = kept('clientSecret');
  try {
    const callback = oauth.validateAuthResponse(server, client, input.query, kept('state'));
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.ClientSecretPost(clientSecret),
      callback,
      input.redirectUri,
      kept('verifier'),
      oauthOptions(context, service),
    );
    if (await isUnknownClient(response)) {
      await register(context, server, service, input.redirectUri);
      throw refused(
        'reconnect',
        'The server had forgotten this application. It knows it again now: connect once more.',
      );
    }
    const answer = await oauth.processAuthorizationCodeResponse(server, client, response);
    const tokens = tokensFrom(answer as unknown as JsonObject, service);
    return { ...tokens, secret: { ...tokens.secret, clientId: client.client_id, clientSecret } };
  } catch (error) {
    throw error instanceof PlatformError ? error : new PlatformError(failureOf(error), { cause: error });
  }
}

/**
 * Reads the tokens of a response. They do not expire and cannot be refreshed. A missing `scope` means that all
 * requested scopes were granted.
 */
function tokensFrom(answer: JsonObject, service: string): Tokens {
  const accessToken = textAt(answer, 'access_token');
  if (accessToken === '') throw refused('transient', 'The server gave no token.');
  const scopes = textAt(answer, 'scope').split(/\s+/).filter(Boolean);
  return {
    secret: { accessToken },
    scopes: scopes.length > 0 ? scopes : SCOPES,
    expiresIn: null,
    refreshExpiresIn: null,
    service,
  };
}

/** A scope is granted by its own name or by its parent: `write` includes `write:media`. */
function missingScopes(granted: readonly string[]): readonly string[] {
  return SCOPES.filter((scope) => !granted.includes(scope) && !granted.includes(scope.split(':')[0] ?? scope));
}

async function revoke(context: ConnectContext, tokens: Tokens): Promise<void> {
  const service = baseOf(context.endpoints, tokens.service);
  const kept = textAt(tokens.secret, 'clientId') ? tokens.secret : await context.registrations.get(service);
  const clientId = textAt(kept, 'clientId');
  // Without the client id that the token was issued to, only its owner can revoke it.
  if (!clientId) return;
  const response = await oauth.revocationRequest(
    { issuer: service, revocation_endpoint: `${service}/oauth/revoke` },
    { client_id: clientId },
    oauth.ClientSecretPost(textAt(kept, 'clientSecret')),
    textAt(tokens.secret, 'accessToken'),
    oauthOptions(context, service),
  );
  if (response.status === 429 || response.status >= 500)
    throw refused('transient', `The server did not revoke the token (it answered ${response.status}).`);
}

function refused(kind: 'reconnect' | 'transient', detail: string): PlatformError {
  return new PlatformError({ kind, detail });
}

/** Converts errors of oauth4webapi to failures. */
function failureOf(error: unknown): Failure {
  if (error instanceof oauth.AuthorizationResponseError)
    return error.error === 'access_denied'
      ? { kind: 'rejected', what: 'permission', platformCode: error.error, detail: 'The connection was not allowed.' }
      : { kind: 'setup', platformCode: error.error, detail: `The server refused the connection (${error.error}).` };
  if (error instanceof oauth.ResponseBodyError)
    return {
      kind: 'reconnect',
      platformCode: error.error,
      status: error.status,
      detail: `The server refused the consent (${error.error}). Connect once more.`,
    };
  return transient('The server gave an answer that is no OAuth answer.');
}
