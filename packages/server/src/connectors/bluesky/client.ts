/** Who we are to authorization servers of the AT Protocol: a document at our own address (atproto.com/specs/oauth). */
import * as oauth from 'oauth4webapi';
import type { ConnectContext, JsonObject } from '../contract.ts';
import { PlatformError } from '../kit/failure.ts';
import { textAt } from '../kit/json.ts';

export const SCOPES: readonly string[] = ['atproto', 'transition:generic'];
const METADATA = '/oauth/client-metadata.json';
const JWKS = '/oauth/jwks.json';

/** How a consent is asked for. The public kind needs no address that the world can reach, and lasts two weeks. */
export type ClientKind = 'confidential' | 'public';

export interface ClientIdentity {
  kind: ClientKind;
  clientId: string;
  /** Where the owner comes back to: loopback clients must be called by number, not by name (RFC 8252). */
  redirectUri: string;
}

/** @throws PlatformError where the address fits neither kind */
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
  throw new PlatformError({
    kind: 'setup',
    detail: 'Consent needs a PUBLIC_URL that is https, or http on localhost. Connect with an app password.',
  });
}

/** The document that servers fetch to know us. @param publicUrl without a final slash */
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

/** The public half of our signing key, as servers fetch it. @param clientKey private JWK */
export function clientJwks(clientKey: JsonObject): JsonObject {
  const { d: _private, ...publicKey } = clientKey;
  return { keys: [publicKey] };
}

/** Both documents with their paths. */
export async function documents(context: ConnectContext): Promise<readonly { path: string; body: JsonObject }[]> {
  return [
    { path: METADATA, body: clientMetadata(context.publicUrl) },
    { path: JWKS, body: clientJwks(await context.clientKey()) },
  ];
}

/** How a request of this kind of client is signed. */
export async function clientAuth(context: ConnectContext, kind: ClientKind): Promise<oauth.ClientAuth> {
  if (kind === 'public') return oauth.None();
  const jwk = await context.clientKey();
  const key = await crypto.subtle.importKey('jwk', { ...jwk, key_ops: ['sign'] }, P256, false, ['sign']);
  return oauth.PrivateKeyJwt({ key, kid: textAt(jwk, 'kid') });
}

/** Signs with a DPoP key. @param key private JWK */
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
