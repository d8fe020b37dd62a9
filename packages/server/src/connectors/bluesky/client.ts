/**
 * Our OAuth client identity for authorization servers of the AT Protocol: a metadata document at our own URL
 * (atproto.com/specs/oauth).
 */
import * as oauth from 'oauth4webapi';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, JsonObject } from '../contract.ts';
import { setup } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { say } from './messages.ts';

export const SCOPES: readonly string[] = ['atproto', 'transition:generic'];
const METADATA = '/oauth/client-metadata.json';
const JWKS = '/oauth/jwks.json';

/** Kind of OAuth client. A public client needs no publicly reachable URL, and its sessions last two weeks. */
export type ClientKind = 'confidential' | 'public';

export interface ClientIdentity {
  kind: ClientKind;
  clientId: string;
  /** Redirect URI. A loopback client must use the IP address, not `localhost` (RFC 8252). */
  redirectUri: string;
}

/** @throws PlatformError if the URL fits neither kind */
export function clientIdentity(publicUrl: string, redirectUri: string): ClientIdentity {
  const url = new URL(publicUrl);
  const local = isLoopback(url.hostname);
  if (url.protocol === 'http:' && local) {
    const redirect = new URL(redirectUri);
    if (redirect.hostname === 'localhost') redirect.hostname = '127.0.0.1';
    const query = new URLSearchParams({ redirect_uri: redirect.href, scope: SCOPES.join(' ') });
    return { kind: 'public', clientId: `http://localhost?${query}`, redirectUri: redirect.href };
  }
  if (url.protocol === 'https:' && !local)
    return { kind: 'confidential', clientId: `${publicUrl}${METADATA}`, redirectUri };
  throw new PlatformError(setup(say('public_url_required')));
}

/** Returns the client metadata document that servers fetch. @param publicUrl without a trailing slash */
export function clientMetadata(publicUrl: string): JsonObject {
  return {
    client_id: `${publicUrl}${METADATA}`,
    application_type: 'web',
    client_name: 'Reelay',
    client_uri: publicUrl,
    redirect_uris: [`${publicUrl}/oauth/bluesky/callback`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: SCOPES.join(' '),
    dpop_bound_access_tokens: true,
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    jwks_uri: `${publicUrl}${JWKS}`,
  };
}

/** Returns the public half of our signing key as a JWKS. @param clientKey private JWK */
export function clientJwks(clientKey: JsonObject): JsonObject {
  const { d: _private, ...publicKey } = clientKey;
  return { keys: [publicKey] };
}

/** Returns both documents with their paths. */
export async function documents(context: ConnectContext): Promise<readonly { path: string; body: JsonObject }[]> {
  return [
    { path: METADATA, body: clientMetadata(context.publicUrl) },
    { path: JWKS, body: clientJwks(await context.clientKey()) },
  ];
}

/** Returns the client authentication method for a kind of client. */
export async function clientAuth(context: ConnectContext, kind: ClientKind): Promise<oauth.ClientAuth> {
  if (kind === 'public') return oauth.None();
  const jwk = await context.clientKey();
  const key = await crypto.subtle.importKey('jwk', { ...jwk, key_ops: ['sign'] }, P256, false, ['sign']);
  return oauth.PrivateKeyJwt({ key, kid: textAt(jwk, 'kid') });
}

/** Returns a DPoP signing handle. @param key private JWK */
export async function proofHandle(client: oauth.Client, key: JsonObject): Promise<oauth.DPoPHandle> {
  const { d: _private, ...publicKey } = key;
  return oauth.DPoP(client, {
    privateKey: await crypto.subtle.importKey('jwk', key, P256, false, ['sign']),
    publicKey: await crypto.subtle.importKey('jwk', publicKey, P256, true, ['verify']),
  });
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256' };

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
