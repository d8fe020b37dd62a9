/**
 * OAuth for Mastodon servers, with an application that is registered with each instance, once. Old versions delete an
 * application that was never used, so it requests an app token right away. The same request before each consent detects
 * that an instance has forgotten us, before the user sees its error page.
 */
import * as oauth from 'oauth4webapi';
import { TEXT_LIMITS } from '../../lib/text.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { reconnect, transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { withNetworkFailures } from '../kit/network-failures.ts';
import { libraryFailure, oauthFetch } from '../kit/oauth-fetch.ts';
import { baseOf, serviceFrom } from './api.ts';
import { say } from './messages.ts';

const SCOPES = ['read:accounts', 'read:statuses', 'write:media', 'write:statuses'];

export const flow: OAuthFlow = {
  needsApp: false,
  asks: [
    {
      name: 'service',
      title: { en: 'Server', de: 'Server' },
      hint: { en: 'For example mastodon.social.', de: 'Zum Beispiel mastodon.social.' },
      required: true,
    },
  ],
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
      throw new PlatformError(reconnect(say('app_forgotten')));
    }
    const tokenResponse = await oauth.processAuthorizationCodeResponse(server, client, response);
    const tokens = tokensFrom(tokenResponse as unknown as JsonObject, service);
    return { ...tokens, secret: { ...tokens.secret, clientId: client.client_id, clientSecret } };
  } catch (error) {
    throw error instanceof PlatformError ? error : new PlatformError(failureOf(error), { cause: error });
  }
}

/**
 * Reads the tokens of a response. They do not expire and cannot be refreshed. A missing `scope` means that all
 * requested scopes were granted.
 */
function tokensFrom(response: JsonObject, service: string): Tokens {
  const accessToken = textAt(response, 'access_token');
  if (accessToken === '') throw new PlatformError(transient(say('token_missing')));
  const scopes = textAt(response, 'scope').split(/\s+/).filter(Boolean);
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
    throw new PlatformError(transient(say('status_unexpected', { status: response.status })));
}

/** Only a new consent helps after an error of the token endpoint. */
function failureOf(error: unknown): Failure {
  return libraryFailure(error, 'Mastodon', () => reconnect(say('consent_rejected')));
}

interface Registration {
  clientId: string;
  clientSecret: string;
}

/** Returns the oauth4webapi options for this server. The address guard decides about plain HTTP. */
function oauthOptions(context: ConnectContext, service: string) {
  return {
    [oauth.customFetch]: oauthFetch(withNetworkFailures(context.http)),
    [oauth.allowInsecureRequests]: service.startsWith('http:'),
  };
}

/**
 * Returns the server's OAuth endpoints: from its metadata (Mastodon 4.3 and later) if they are on the server's origin,
 * else the default paths of all versions.
 */
async function serverOf(context: ConnectContext, service: string): Promise<oauth.AuthorizationServer> {
  const url = `${service}/.well-known/oauth-authorization-server`;
  const response = await withNetworkFailures(context.http)({ method: 'GET', url });
  const metadata = response.status === 200 ? response.tryJson() : null;
  // Returned verbatim: the issuer is compared character by character, including a trailing slash (RFC 9207, 2.4).
  const own = (name: string, usual: string) => {
    const written = textAt(metadata, name);
    const isOwn = URL.parse(written)?.origin === new URL(service).origin;
    return isOwn && written.length <= TEXT_LIMITS.url ? written : usual;
  };
  return {
    issuer: own('issuer', service),
    authorization_endpoint: own('authorization_endpoint', `${service}/oauth/authorize`),
    token_endpoint: own('token_endpoint', `${service}/oauth/token`),
    revocation_endpoint: own('revocation_endpoint', `${service}/oauth/revoke`),
  };
}

/** Maximum length of an application's id and secret, in UTF-16 units. Mastodon's have 43 (Doorkeeper). */
const MAX_CREDENTIAL = 500;

/** Returns our stored application on that server if the server still knows it, else registers a new one. */
async function registrationFor(
  context: ConnectContext,
  server: oauth.AuthorizationServer,
  service: string,
  redirectUri: string,
): Promise<Registration> {
  const known = read(await context.registrations.get(service), redirectUri, context.now());
  if (known && (await isKnown(context, server, service, known))) return known;
  return register(context, server, service, redirectUri);
}

/**
 * Registers an application and stores it. @throws PlatformError if the server does not implement this API, or answers with
 * more than can be stored
 */
async function register(
  context: ConnectContext,
  server: oauth.AuthorizationServer,
  service: string,
  redirectUri: string,
): Promise<Registration> {
  const response = await withNetworkFailures(context.http)({
    method: 'POST',
    url: `${service}/api/v1/apps`,
    // A single string, because lists are supported only from 4.3 on.
    json: {
      client_name: 'Reelay',
      redirect_uris: redirectUri,
      scopes: SCOPES.join(' '),
      website: context.publicUrl,
    },
  });
  const body = response.tryJson();
  const registration = { clientId: textAt(body, 'client_id'), clientSecret: textAt(body, 'client_secret') };
  if (response.status !== 200 || !registration.clientId || !registration.clientSecret)
    throw new PlatformError({
      kind: response.status === 429 || response.status >= 500 ? 'transient' : 'setup',
      status: response.status,
      detail: say('not_mastodon', { host: new URL(service).host, status: response.status }),
    });
  if (Object.values(registration).some(({ length }) => length > MAX_CREDENTIAL))
    throw new PlatformError({
      kind: 'setup',
      status: response.status,
      detail: say('registration_too_long', { host: new URL(service).host, limit: MAX_CREDENTIAL }),
    });
  const expiresAt = numberAt(body, 'client_secret_expires_at');
  await context.registrations.put(service, {
    ...registration,
    redirectUri,
    scopes: SCOPES.join(' '),
    expiresAt: expiresAt ? expiresAt * 1000 : null,
  });
  await isKnown(context, server, service, registration);
  return registration;
}

function read(stored: JsonObject | null, redirectUri: string, now: number): Registration | null {
  const fits = textAt(stored, 'redirectUri') === redirectUri && textAt(stored, 'scopes') === SCOPES.join(' ');
  const expiresAt = at(stored, 'expiresAt');
  if (!fits || (typeof expiresAt === 'number' && expiresAt <= now)) return null;
  return { clientId: textAt(stored, 'clientId'), clientSecret: textAt(stored, 'clientSecret') };
}

/** Requests a token for the application itself. Only `invalid_client` counts as unknown. */
async function isKnown(
  context: ConnectContext,
  server: oauth.AuthorizationServer,
  service: string,
  { clientId, clientSecret }: Registration,
): Promise<boolean> {
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    { client_id: clientId },
    oauth.ClientSecretPost(clientSecret),
    { scope: 'read:accounts' },
    oauthOptions(context, service),
  );
  return !(await isUnknownClient(response));
}

/** Whether a token endpoint rejects the client as unknown. Reads a clone, so that the response stays readable. */
async function isUnknownClient(response: Response): Promise<boolean> {
  if (response.status !== 400 && response.status !== 401) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return textAt(body, 'error') === 'invalid_client';
}
