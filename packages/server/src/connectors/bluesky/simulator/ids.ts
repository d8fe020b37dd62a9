/** Identifiers of the AT Protocol: CIDs, TIDs, multibase keys. Sources: atproto.com/specs/{data-model,record-key,tid,cryptography}. */
import { createHash, randomBytes } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const SORTABLE = '234567abcdefghijklmnopqrstuvwxyz';
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** RFC 4648 base32 in lower case without padding. */
export function base32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let text = '';
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

/** The bytes of {@link base32} text; null where it is none. */
export function fromBase32(text: string): Buffer | null {
  let bits = 0;
  let value = 0;
  const bytes: number[] = [];
  for (const letter of text) {
    const digit = BASE32.indexOf(letter);
    if (digit < 0) return null;
    value = (value << 5) | digit;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >>> bits) & 255);
    }
    value &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}

/** CIDv1 with SHA-256; `raw` for blobs, `dag-cbor` for records and commits. */
export function cidOfDigest(codec: 'raw' | 'dag-cbor', sha256: Uint8Array): string {
  return `b${base32(Buffer.concat([Uint8Array.of(1, codec === 'raw' ? 0x55 : 0x71, 0x12, 0x20), sha256]))}`;
}

/** CID of some bytes in DAG-CBOR. */
export function cidOfBytes(bytes: Uint8Array): string {
  return cidOfDigest('dag-cbor', createHash('sha256').update(bytes).digest());
}

/** The bytes of a CIDv1 in base32, or null where it is none. */
export function cidBytes(cid: string): Buffer | null {
  const bytes = cid.startsWith('b') ? fromBase32(cid.slice(1)) : null;
  return bytes?.length === 36 && bytes[0] === 1 && bytes[2] === 0x12 && bytes[3] === 0x20 ? bytes : null;
}

export const TID = /^[234567a-j][234567a-z]{12}$/;

/** A TID of microseconds since the epoch and a clock id of 10 bits. */
export function tidOf(micros: number, clock: number): string {
  let value = (BigInt(micros) << 10n) | BigInt(clock & 1023);
  let text = '';
  for (let i = 0; i < 13; i++) {
    text = SORTABLE[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}

/** Microseconds since the epoch in a TID. */
export function microsOfTid(tid: string): number {
  let value = 0n;
  for (const letter of tid) value = (value << 5n) | BigInt(SORTABLE.indexOf(letter));
  return Number(value >> 10n);
}

/** Multibase base58btc ("z…"), as in DID documents. */
export function base58btc(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
  let text = '';
  while (value > 0n) {
    text = BASE58[Number(value % 58n)] + text;
    value /= 58n;
  }
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return `z${text}`;
}

/** Text that nobody guesses. */
export function randomText(prefix: string, bytes = 24): string {
  return `${prefix}${randomBytes(bytes).toString('hex')}`;
}
