/**
 * Registers our OAuth application with each instance, once. Old versions delete an application that was never used, so
 * it requests an app token right away. The same request before each consent detects that an instance has forgotten us,
 * before the user sees its error page.
 */
import * as oauth from 'oauth4webapi';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { oauthFetch } from '../kit/oauth-fetch.ts';
import { reaching } from './api.ts';

export const SCOPES = ['read:accounts', 'read:statuses', 'write:media', 'write:statuses'];
const CLIENT_NAME = 'Reelay';

export interface Registration {
  clientId: string;
  clientSecret: string;
}

/** Returns the oauth4webapi options for this server. Plain HTTP is allowed only for a simulator. */
export function oauthOptions(context: ConnectContext, service: string) {
  return {
    [oauth.customFetch]: oauthFetch(reaching(context, service)),
    [oauth.allowInsecureRequests]: service.startsWith('http:'),
  };
}

/**
 * Returns the server's OAuth endpoints: from its metadata (Mastodon 4.3 and later) if they are on the server's origin,
 * else the default paths of all versions.
 */
export async function serverOf(context: ConnectContext, service: string): Promise<oauth.AuthorizationServer> {
  const answer = await reaching(
    context,
    service,
  )({
    method: 'GET',
    url: `${service}/.well-known/oauth-authorization-server`,
  });
  const metadata = answer.status === 200 ? answer.tryJson() : null;
  // Returned verbatim: the issuer is compared character by character, including a trailing slash (RFC 9207, 2.4).
  const own = (name: string, usual: string) => {
    const written = textAt(metadata, name);
    return URL.parse(written)?.origin === new URL(service).origin ? written : usual;
  };
  return {
    issuer: own('issuer', service),
    authorization_endpoint: own('authorization_endpoint', `${service}/oauth/authorize`),
    token_endpoint: own('token_endpoint', `${service}/oauth/token`),
    revocation_endpoint: own('revocation_endpoint', `${service}/oauth/revoke`),
  };
}

/** Returns our stored application on that server if the server still knows it, else registers a new one. */
export async function registrationFor(
  context: ConnectContext,
  server: oauth.AuthorizationServer,
  service: string,
  redirectUri: string,
): Promise<Registration> {
  const known = read(await context.registrations.get(service), redirectUri, context.now());
  if (known && (await isKnown(context, server, service, known))) return known;
  return register(context, server, service, redirectUri);
}

/** Registers an application and stores it. @throws PlatformError if the server does not implement this API */
export async function register(
  context: ConnectContext,
  server: oauth.AuthorizationServer,
  service: string,
  redirectUri: string,
): Promise<Registration> {
  const answer = await reaching(
    context,
    service,
  )({
    method: 'POST',
    url: `${service}/api/v1/apps`,
    // A single string, because lists are supported only from 4.3 on.
    json: {
      client_name: CLIENT_NAME,
      redirect_uris: redirectUri,
      scopes: SCOPES.join(' '),
      website: context.publicUrl,
    },
  });
  const body = answer.tryJson();
  const registration = { clientId: textAt(body, 'client_id'), clientSecret: textAt(body, 'client_secret') };
  if (answer.status !== 200 || !registration.clientId || !registration.clientSecret)
    throw new PlatformError({
      kind: answer.status === 429 || answer.status >= 500 ? 'transient' : 'setup',
      status: answer.status,
      detail: `${new URL(service).host} did not let us register (it answered ${answer.status}). Is it a Mastodon server?`,
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

function read(kept: JsonObject | null, redirectUri: string, now: number): Registration | null {
  const fits = textAt(kept, 'redirectUri') === redirectUri && textAt(kept, 'scopes') === SCOPES.join(' ');
  const expiresAt = at(kept, 'expiresAt');
  if (!fits || (typeof expiresAt === 'number' && expiresAt <= now)) return null;
  return { clientId: textAt(kept, 'clientId'), clientSecret: textAt(kept, 'clientSecret') };
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
export async function isUnknownClient(response: Response): Promise<boolean> {
  if (response.status !== 400 && response.status !== 401) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return textAt(body, 'error') === 'invalid_client';
}
