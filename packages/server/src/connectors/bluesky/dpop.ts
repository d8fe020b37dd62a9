/** DPoP proofs for calls to the account's server (RFC 9449, atproto.com/specs/oauth). */

import { createHash, createPrivateKey, generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto';
import { beforeQuery } from '../../text.ts';
import type { JsonObject } from '../contract.ts';
import { textAt } from '../kit/json.ts';

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
