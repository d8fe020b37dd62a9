/**
 * Encodes a record in JSON form as DAG-CBOR, so that equal records have equal CIDs. Source:
 * atproto.com/specs/data-model.
 */
import { cidBytes } from './ids.ts';

/** @throws RangeError for values outside the data model, such as 1.5 */
export function encodeDagCbor(value: unknown): Buffer {
  if (value === null) return Buffer.of(0xf6);
  if (typeof value === 'boolean') return Buffer.of(value ? 0xf5 : 0xf4);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RangeError(String(value));
    return value < 0 ? head(1, -1 - value) : head(0, value);
  }
  if (typeof value === 'string') return counted(3, Buffer.from(value));
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeDagCbor)]);
  if (typeof value !== 'object') throw new RangeError(typeof value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const only = entries.length === 1 ? entries[0] : undefined;
  if (only?.[0] === '$link' && typeof only[1] === 'string') return link(only[1]);
  if (only?.[0] === '$bytes' && typeof only[1] === 'string') return counted(2, Buffer.from(only[1], 'base64'));
  const sorted = entries
    .map(([key, item]) => ({ key: Buffer.from(key), item }))
    .sort((a, b) => a.key.length - b.key.length || Buffer.compare(a.key, b.key));
  return Buffer.concat([
    head(5, sorted.length),
    ...sorted.flatMap(({ key, item }) => [counted(3, key), encodeDagCbor(item)]),
  ]);
}

function link(cid: string): Buffer {
  const bytes = cidBytes(cid);
  if (!bytes) throw new RangeError(cid);
  return Buffer.concat([Buffer.of(0xd8, 42), counted(2, Buffer.concat([Buffer.of(0), bytes]))]);
}

function counted(major: number, bytes: Buffer): Buffer {
  return Buffer.concat([head(major, bytes.length), bytes]);
}

function head(major: number, value: number): Buffer {
  const first = major << 5;
  if (value < 24) return Buffer.of(first | value);
  const size = value < 0x100 ? 1 : value < 0x10000 ? 2 : value < 0x100000000 ? 4 : 8;
  const bytes = Buffer.alloc(1 + size);
  bytes[0] = first | { 1: 24, 2: 25, 4: 26, 8: 27 }[size];
  if (size === 8) bytes.writeBigUInt64BE(BigInt(value), 1);
  else bytes.writeUIntBE(value, 1, size);
  return bytes;
}
