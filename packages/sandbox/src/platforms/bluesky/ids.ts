/**
 * Identifiers of the AT Protocol: CIDs, TIDs, multibase keys. Sources:
 * atproto.com/specs/{data-model,record-key,tid,cryptography}.
 */
import { createHash, randomBytes } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const SORTABLE = '234567abcdefghijklmnopqrstuvwxyz';
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Encodes bytes as RFC 4648 base32, lowercase without padding. */
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

/** Decodes {@link base32} text; null if invalid. */
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

/** Returns a CIDv1 with SHA-256: `raw` for blobs, `dag-cbor` for records and commits. */
export function cidOfDigest(codec: 'raw' | 'dag-cbor', sha256: Uint8Array): string {
  return `b${base32(Buffer.concat([Uint8Array.of(1, codec === 'raw' ? 0x55 : 0x71, 0x12, 0x20), sha256]))}`;
}

/** Returns the CID of DAG-CBOR bytes. */
export function cidOfBytes(bytes: Uint8Array): string {
  return cidOfDigest('dag-cbor', createHash('sha256').update(bytes).digest());
}

/** Returns the bytes of a CIDv1 in base32; null if invalid. */
export function cidBytes(cid: string): Buffer | null {
  const bytes = cid.startsWith('b') ? fromBase32(cid.slice(1)) : null;
  return bytes?.length === 36 && bytes[0] === 1 && bytes[2] === 0x12 && bytes[3] === 0x20 ? bytes : null;
}

export const TID = /^[234567a-j][234567a-z]{12}$/;

/** Encodes a TID from microseconds since the epoch and a 10-bit clock id. */
export function tidOf(micros: number, clock: number): string {
  let value = (BigInt(micros) << 10n) | BigInt(clock & 1023);
  let text = '';
  for (let i = 0; i < 13; i++) {
    text = SORTABLE[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}

/** Returns the microseconds since the epoch of a TID. */
export function microsOfTid(tid: string): number {
  let value = 0n;
  for (const letter of tid) value = (value << 5n) | BigInt(SORTABLE.indexOf(letter));
  return Number(value >> 10n);
}

/** Encodes bytes as multibase base58btc ("z…"), as in DID documents. */
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

/** Returns an unguessable string. */
export function randomText(prefix: string, bytes = 24): string {
  return `${prefix}${randomBytes(bytes).toString('hex')}`;
}
