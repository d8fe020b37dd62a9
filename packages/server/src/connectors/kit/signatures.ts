import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignatureScheme {
  algorithm: 'sha1' | 'sha256';
  /** Text before the signature: `sha1=`. */
  prefix: string;
  encoding: 'hex' | 'base64';
}

/** Whether a header has the HMAC of a body. Compares in constant time. @param given the header, or undefined */
export function hasSignature(given: unknown, body: Buffer, secret: string, scheme: SignatureScheme): boolean {
  const { algorithm, prefix, encoding } = scheme;
  const wanted = Buffer.from(prefix + createHmac(algorithm, secret).update(body).digest(encoding));
  const found = Buffer.from(typeof given === 'string' ? given : '');
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}
