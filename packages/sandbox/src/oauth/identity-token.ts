/** OpenID Connect: identity tokens, signed with RS256, and the keys that verify them. */
import { generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto';
import type { JsonObject } from '../json.ts';

const KEY_ID = 'sandbox';

/** Creates the key pair at first use, because an RSA key costs a tenth of a second. */
const signingKey = (() => {
  let pair: KeyPairKeyObjectResult | undefined;
  return () => {
    pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
    return pair;
  };
})();

/** Signs an identity token. @param claims all claims, with `iss`, `aud`, `exp`, `iat` and `sub` */
export function signedToken(claims: JsonObject): string {
  const encode = (part: JsonObject) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const input = `${encode({ alg: 'RS256', typ: 'JWT', kid: KEY_ID })}.${encode(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), signingKey().privateKey).toString('base64url')}`;
}

/** The public key as a JSON Web Key Set (RFC 7517). */
export function keySet(): JsonObject {
  const { kty, n, e } = signingKey().publicKey.export({ format: 'jwk' });
  return { keys: [{ kty: `${kty}`, n: `${n}`, e: `${e}`, use: 'sig', alg: 'RS256', kid: KEY_ID }] };
}

/** The public key in PEM, by key id. */
export function pemKeys(): JsonObject {
  return { [KEY_ID]: signingKey().publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}
