/** Encrypts messages for browsers: RFC 8291 (Web Push), with the encoding `aes128gcm` of RFC 8188. */
import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { PushTarget } from './kinds.ts';

/**
 * Maximum length of a message in bytes. A push service must accept 4,096 bytes of body (RFC 8030, 7.2), of which the
 * header takes 86 and the tag and the delimiter 17. Some need a little for themselves.
 */
export const MAX_PUSH_BYTES = 3_700;
/** The body is padded to a multiple of this many bytes, so that its length says little. */
const PAD_BYTES = 256;
/** Bytes of an uncompressed point of P-256, and of the shared secret (RFC 8291, 3.1 and 3.2). */
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const RECORD_BYTES = 4_096;

const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));

/** Pure. Whether a browser's keys can be used: a point of P-256 and a secret of 16 bytes, both base64url. */
export function areUsableKeys({ p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>): boolean {
  const [point, secret] = [p256dh, auth].map((text) => Buffer.from(text, 'base64url'));
  if (point?.length !== POINT_BYTES || secret?.length !== AUTH_BYTES) return false;
  try {
    keyPair().computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

/**
 * Encrypts a message.
 * @returns the body of the request, less than 3,900 bytes for a message of {@link MAX_PUSH_BYTES}
 * @throws RangeError if the message is longer; Error if the browser's key is not a point of P-256
 */
export function encryptPush(message: Buffer, { p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>): Buffer {
  if (message.length > MAX_PUSH_BYTES) throw new RangeError('The message is too long for a push service.');
  const browserKey = Buffer.from(p256dh, 'base64url');
  const own = keyPair();
  const ownKey = own.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey]);
  const secret = derive(own.computeSecret(browserKey), Buffer.from(auth, 'base64url'), info, 32);
  const salt = randomBytes(16);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // The only record, so its delimiter is 2 (RFC 8188, 2).
  const padding = Buffer.alloc(Math.min(PAD_BYTES - (message.length % PAD_BYTES), MAX_PUSH_BYTES - message.length));
  const record = Buffer.concat([cipher.update(Buffer.concat([message, Buffer.of(2), padding])), cipher.final()]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([salt, size, Buffer.of(ownKey.length), ownKey, record, cipher.getAuthTag()]);
}

function keyPair(): ECDH {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return pair;
}
