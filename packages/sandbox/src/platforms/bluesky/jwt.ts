/** JSON Web Tokens on node:crypto: HS256 for sessions, ES256K for service tokens, ES256 for DPoP and clients. */
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';

import { isObject } from '../../http/parameters.ts';

export interface Jwt {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
}

/** Signs claims with a shared secret. */
export function signHs256(secret: string, header: Record<string, string>, claims: object): string {
  const input = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** Signs claims with a private key on secp256k1 or P-256. */
export function signEc(
  alg: 'ES256K' | 'ES256',
  key: JsonWebKey,
  header: Record<string, unknown>,
  claims: object,
): string {
  const input = `${encode({ ...header, alg })}.${encode(claims)}`;
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

/** Decodes header and claims without verifying the signature; null if the token is malformed. */
export function readJwt(token: string): Jwt | null {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  const header = decode(parts[0] ?? '');
  const claims = decode(parts[1] ?? '');
  return header && claims ? { header, claims } : null;
}

export function verifiesHs256(secret: string, token: string): boolean {
  const [head, body, signature] = token.split('.');
  const wanted = createHmac('sha256', secret).update(`${head}.${body}`).digest();
  const given = Buffer.from(signature ?? '', 'base64url');
  return readJwt(token)?.header.alg === 'HS256' && given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Verifies a token's signature with a public key (JWK). Never throws. */
export function verifiesEc(alg: 'ES256K' | 'ES256', key: JsonWebKey, token: string): boolean {
  const [head, body, signature] = token.split('.');
  if (readJwt(token)?.header.alg !== alg || key.crv !== (alg === 'ES256' ? 'P-256' : 'secp256k1')) return false;
  try {
    const publicKey = createPublicKey({ key, format: 'jwk' });
    const bytes = Buffer.from(signature ?? '', 'base64url');
    return verify('sha256', Buffer.from(`${head}.${body}`), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes);
  } catch {
    return false;
  }
}

/** Returns the RFC 7638 thumbprint of an elliptic-curve key. */
export function thumbprint(key: JsonWebKey): string {
  const { crv, kty, x, y } = key;
  return sha256url(JSON.stringify({ crv, kty, x, y }));
}

/** Returns the SHA-256 in base64url, as used by PKCE, `ath`, and thumbprints. */
export function sha256url(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
