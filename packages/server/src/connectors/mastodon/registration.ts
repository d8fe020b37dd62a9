/**
 * Every instance is an authorization server of its own, where we register ourselves once. Old versions delete an
 * application that nobody has used, so it takes a token for itself at once; and the same question, asked before each
 * consent, shows whether an instance has forgotten us while the user can still be spared its error page.
 */
import * as oauth from 'oauth4webapi';
import type { ConnectContext, JsonObject } from '../contract.ts';
import { PlatformError } from '../kit/failure.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { oauthFetch } from '../kit/oauth-fetch.ts';
import { reaching } from './api.ts';

export const SCOPES = ['read:accounts', 'read:statuses', 'write:media', 'write:statuses'];
const CLIENT_NAME = 'Reelay';

export interface Registration {
  clientId: string;
  clientSecret: string;
}

/** How oauth4webapi is called for this server. Plain HTTP only where the server is a simulator's. */
export function oauthOptions(context: ConnectContext, service: string) {
  return {
    [oauth.customFetch]: oauthFetch(reaching(context, service)),
    [oauth.allowInsecureRequests]: service.startsWith('http:'),
  };
}

/**
 * The server's OAuth addresses: from its metadata (Mastodon 4.3 and later) where they are on the server itself, else
 * the ones that all versions have.
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
  // As they are written: the issuer is compared letter by letter (RFC 9207, 2.4), its last slash too.
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

/** Our application on that server: the one we have, when the server still knows it, else a new one. */
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

/** Registers anew and keeps it. @throws PlatformError where the server does not speak this API */
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
    // One address goes as plain text: lists are understood from 4.3 on only.
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

/** Takes a token for the application itself. Only a plain "I do not know this client" counts as a no. */
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

/** Whether a token endpoint answers that it does not know the client. Reads a copy, so that the answer can be used. */
export async function isUnknownClient(response: Response): Promise<boolean> {
  if (response.status !== 400 && response.status !== 401) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return textAt(body, 'error') === 'invalid_client';
}
