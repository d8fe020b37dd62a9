/**
 * OAuth clients: metadata documents at the client's own URL, or `http://localhost?…` for development
 * (atproto.com/specs/oauth).
 */
import type { JsonWebKey } from 'node:crypto';
import { isObject } from '../../http/parameters.ts';
import { at } from '../../json.ts';
import { SECOND } from '../../time.ts';
import { readJwt, thumbprint, verifiesEc } from './jwt.ts';
import type { World } from './world.ts';
import { refuseOAuth } from './xrpc.ts';

const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const ASSERTION_MAX_AGE_SECONDS = 60;

export interface OAuthClient {
  id: string;
  name: string;
  redirectUris: string[];
  scopes: string[];
  /** null for a public client. */
  jwksUri: string | null;
  keys: JsonWebKey[];
}

/** Reads a client's metadata. @throws Refused */
export async function clientOf(world: World, id: string | null): Promise<OAuthClient> {
  if (!id) return refuseOAuth(400, 'invalid_client', 'Client credentials missing');
  const url = URL.parse(id);
  if (url && url.protocol === 'http:' && url.hostname === 'localhost') return loopbackClient(id, url);
  if (url?.protocol !== 'https:' || url.pathname === '/' || url.port !== '' || url.hash !== '')
    return refuseOAuth(400, 'invalid_client_metadata', `Invalid client ID "${id}"`);
  const document = await world.fetchJson(id);
  if (!isObject(document)) return refuseOAuth(400, 'invalid_client_metadata', 'Unable to obtain client metadata');
  return documentClient(world, id, document);
}

function loopbackClient(id: string, url: URL): OAuthClient {
  if (url.port !== '' || url.pathname !== '/' || url.hash !== '')
    return refuseOAuth(400, 'invalid_client_metadata', `Invalid client ID "${id}"`);
  const redirects = url.searchParams.getAll('redirect_uri');
  for (const redirect of redirects)
    if (!isLoopback(redirect)) refuseOAuth(400, 'invalid_client_metadata', `Invalid client ID "${id}"`);
  return {
    id,
    name: 'Local client',
    redirectUris: redirects.length > 0 ? redirects : ['http://127.0.0.1/', 'http://[::1]/'],
    scopes: (url.searchParams.get('scope') ?? 'atproto').split(' '),
    jwksUri: null,
    keys: [],
  };
}

async function documentClient(world: World, id: string, document: Record<string, unknown>): Promise<OAuthClient> {
  const bad = (what: string): never => refuseOAuth(400, 'invalid_client_metadata', what);
  if (document.client_id !== id) return bad('client_id does not match the address');
  if (document.dpop_bound_access_tokens !== true) return bad('dpop_bound_access_tokens must be true');
  const redirectUris = texts(document.redirect_uris);
  if (redirectUris.length === 0) return bad('redirect_uris is missing');
  if (!texts(document.response_types).includes('code')) return bad('response_types must hold "code"');
  if (!texts(document.grant_types).includes('authorization_code'))
    return bad('grant_types must hold "authorization_code"');
  const scopes = String(document.scope ?? '').split(' ');
  const name = typeof document.client_name === 'string' ? document.client_name : id;
  const client = { id, name, redirectUris, scopes, jwksUri: null, keys: [] };
  if (document.token_endpoint_auth_method === 'none') return client;
  if (document.token_endpoint_auth_method !== 'private_key_jwt') return bad('Unsupported token_endpoint_auth_method');
  if (document.token_endpoint_auth_signing_alg !== 'ES256') return bad('token_endpoint_auth_signing_alg must be ES256');
  const jwksUri = typeof document.jwks_uri === 'string' ? document.jwks_uri : null;
  if (!jwksUri) return bad('jwks_uri is missing');
  const keys = at(await world.fetchJson(jwksUri), 'keys');
  if (!Array.isArray(keys)) return bad('Unable to obtain jwks');
  if (keys.some((key) => at(key, 'd') !== undefined)) return bad('jwks holds a private key');
  return { ...client, jwksUri, keys: keys as JsonWebKey[] };
}

/**
 * Authenticates the client. Returns "none" for a public client, else the thumbprint of the key that signed the
 * assertion. @throws Refused
 */
export function authenticateClient(world: World, client: OAuthClient, form: URLSearchParams): string {
  const assertion = form.get('client_assertion');
  if (client.jwksUri === null) {
    if (assertion !== null) refuseOAuth(400, 'invalid_client', 'Unexpected client assertion');
    return 'none';
  }
  const bad = (what: string): never => refuseOAuth(400, 'invalid_client', what);
  if (assertion === null || form.get('client_assertion_type') !== ASSERTION) return bad('client_assertion required');
  const jwt = readJwt(assertion);
  if (!jwt) return bad('Invalid client assertion');
  const { iss, sub, aud, jti, iat } = jwt.claims;
  const now = world.options.now() / 1000;
  if (iss !== client.id || sub !== client.id) return bad('Client assertion names another client');
  if (![aud].flat().includes(world.options.baseUrl)) return bad('Client assertion is for another server');
  if (typeof iat !== 'number' || Math.abs(now - iat) > ASSERTION_MAX_AGE_SECONDS)
    return bad('Client assertion too old');
  const key = client.keys.find((one) => 'kid' in one && one.kid === jwt.header.kid);
  if (!key || !verifiesEc('ES256', key, assertion)) return bad('Client assertion has a bad signature');
  const rememberedMs = 2 * ASSERTION_MAX_AGE_SECONDS * SECOND;
  if (typeof jti !== 'string' || !world.firstTime(`assertion ${client.id} ${jti}`, rememberedMs))
    return bad('Client assertion replayed');
  return thumbprint(key);
}

/** A registered loopback redirect without a port matches any port (RFC 8252). */
export function redirectAllowed(client: OAuthClient, redirect: string): boolean {
  return client.redirectUris.some((known) => {
    if (known === redirect) return true;
    const [a, b] = [URL.parse(known), URL.parse(redirect)];
    return !!a && !!b && isLoopback(known) && a.port === '' && a.hostname === b.hostname && a.pathname === b.pathname;
  });
}

function isLoopback(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(url.hostname);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
