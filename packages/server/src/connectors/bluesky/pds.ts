/** Client for the account's own server (PDS), authenticated by an app-password session or OAuth. */
import { createHash, createPrivateKey, generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto';
import { beforeQuery } from '../../lib/text.ts';
import type { HttpBody, HttpClient, HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { codeOf, failureOf } from './classify.ts';
import { say } from './messages.ts';

export interface PdsCall {
  method: 'GET' | 'POST';
  /** Method name, such as `com.atproto.repo.getRecord`. */
  nsid: string;
  query?: Record<string, string>;
  json?: unknown;
  body?: HttpBody;
  /** Defaults to 30 s. */
  deadlineMs?: number;
}

export interface Pds {
  /** Makes an authenticated call. @throws NetworkError */
  call(call: PdsCall): Promise<HttpResponse>;
  /** Like `call`, but throws unless the status is 200. @throws PlatformError, NetworkError */
  ask(call: PdsCall): Promise<HttpResponse>;
  /** Makes an unauthenticated call. @param deadlineMs defaults to 30 s @throws NetworkError */
  read(nsid: string, query: Record<string, string>, deadlineMs?: number): Promise<HttpResponse>;
  /**
   * Returns headers for a call that must not be retried. If DPoP proofs need a nonce, fetches a fresh one with a
   * harmless call first. @throws PlatformError, NetworkError
   */
  headersOnce(nsid: string): Promise<Record<string, string>>;
}

/** @param account a session, or the values known while connecting */
export function pdsOf(account: { http: HttpClient; service: string; secret: JsonObject; now(): number }): Pds {
  const { http, service, secret } = account;
  const accessToken = textAt(secret, 'accessToken');
  const key = at(secret, 'dpop') as JsonObject | undefined;
  let nonce: string | undefined;
  const authorization = (method: string, nsid: string): Record<string, string> => {
    if (!key) return { authorization: `Bearer ${accessToken}` };
    const call = { method, url: xrpcUrl(service, nsid), accessToken, nonce, now: account.now() };
    return { authorization: `DPoP ${accessToken}`, dpop: proof(key, call) };
  };
  const once = async ({ method, nsid, query, ...rest }: PdsCall): Promise<HttpResponse> => {
    const headers = authorization(method, nsid);
    const response = await http({ method, url: xrpcUrl(service, nsid, query), headers, ...rest });
    nonce = response.headers['dpop-nonce'] ?? nonce;
    return response;
  };
  const pds: Pds = {
    async call(call) {
      // Fetches the nonce before a long body, which would otherwise be sent twice.
      if (key && nonce === undefined && call.body?.kind === 'stream') await fetchNonce();
      const response = await once(call);
      return key && codeOf(response) === 'use_dpop_nonce' ? once(call) : response;
    },
    async ask(call) {
      const response = await pds.call(call);
      if (response.status !== 200) throw new PlatformError(failureOf(response, account.now()));
      return response;
    },
    read: (nsid, query, deadlineMs) =>
      http({ method: 'GET', url: xrpcUrl(service, nsid, query), ...(deadlineMs === undefined ? {} : { deadlineMs }) }),
    async headersOnce(nsid) {
      if (key) await fetchNonce();
      return authorization('POST', nsid);
    },
  };
  const fetchNonce = () => pds.ask({ method: 'GET', nsid: 'com.atproto.server.getSession' });
  return pds;
}

export function xrpcUrl(service: string, nsid: string, query?: Record<string, string>): string {
  return `${service}/xrpc/${nsid}${query ? `?${new URLSearchParams(query)}` : ''}`;
}

const SERVICE_TOKEN_SECONDS = 1800;

/**
 * Returns a service token, with which the account's server authorizes another service to act for the account
 * (docs.bsky.app, service auth). @param now ms since the epoch @throws PlatformError, NetworkError
 */
export async function serviceToken(
  pds: Pds,
  wanted: { aud: string; lxm: string },
  now: number,
): Promise<{ token: string; expiresAt: number }> {
  const exp = Math.floor(now / 1000) + SERVICE_TOKEN_SECONDS;
  const response = await pds.ask({
    method: 'GET',
    nsid: 'com.atproto.server.getServiceAuth',
    query: { ...wanted, exp: String(exp) },
  });
  const token = textAt(response.tryJson(), 'token');
  if (token) return { token, expiresAt: exp * 1000 };
  throw new PlatformError(transient(say('token_missing')));
}

// DPoP proofs (RFC 9449, atproto.com/specs/oauth).

/** Creates a P-256 key as a private JWK. Each OAuth session has its own key, because tokens are bound to it. */
export function newProofKey(): JsonObject {
  const { kty, crv, x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  return { kty: kty ?? '', crv: crv ?? '', x: x ?? '', y: y ?? '', d: d ?? '' };
}

/**
 * Returns a DPoP proof for a call.
 * @param call.accessToken access token of the call; absent at a token endpoint @param call.now ms since the epoch
 */
export function proof(
  key: JsonObject,
  call: { method: string; url: string; accessToken?: string; nonce: string | undefined; now: number },
): string {
  const jwk = { kty: textAt(key, 'kty'), crv: textAt(key, 'crv'), x: textAt(key, 'x'), y: textAt(key, 'y') };
  const claims = {
    jti: randomUUID(),
    htm: call.method,
    htu: beforeQuery(call.url),
    iat: Math.floor(call.now / 1000),
    ...(call.accessToken === undefined
      ? {}
      : { ath: createHash('sha256').update(call.accessToken).digest('base64url') }),
    ...(call.nonce === undefined ? {} : { nonce: call.nonce }),
  };
  const input = `${encode({ typ: 'dpop+jwt', alg: 'ES256', jwk })}.${encode(claims)}`;
  const privateKey = createPrivateKey({ key: key as JsonWebKey, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
