import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'rly_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECK_LENGTH = 6;
const SHOWN_LENGTH = 12;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);

/** Creates a key: `rly_`, 40 random base62 characters (238 bits), and their checksum. */
export function makeKey(): string {
  let random = '';
  for (let count = 0; count < RANDOM_LENGTH; count++) random += BASE62[randomInt(BASE62.length)];
  return PREFIX + random + checksum(random);
}

/**
 * Returns whether a text has the format of a key with a valid checksum. Scanners can identify a leaked key without
 * asking us, and guesses never reach the database.
 */
export function isKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH);
  return text.endsWith(checksum(random));
}

/** CRC-32 (IEEE) in base62, left-padded with "0" to 6 characters. */
export function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let count = 0; count < CHECK_LENGTH; count++) {
    text = BASE62[rest % BASE62.length] + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}

/** The stored hash of a key. Keys have enough entropy for a fast, unsalted hash. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The first 12 characters of a key, which may always be shown. */
export function shownPart(key: string): string {
  return key.slice(0, SHOWN_LENGTH);
}
