/** An authenticator app (RFC 6238: SHA-1, six digits, 30 s). */
import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const PERIOD_MS = 30_000;

/** Returns the code that an app shows for an `otpauth:` URI. @param at ms since the epoch */
export function totp(uri: string, at = Date.now()): string {
  const text = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / PERIOD_MS)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Returns the code that the app shows next: a user's second one, because each works once. It is valid already. */
export const nextTotp = (uri: string) => totp(uri, Date.now() + PERIOD_MS);
