/**
 * Encrypts a file with AES-256-CBC and PKCS #7 padding and splits it into parts. In CBC a block depends only on the
 * previous one. Each part is therefore encrypted separately, starting from the last block of the previous part. Nothing
 * is read twice or buffered, and a repeated part has the same bytes.
 */
import { createCipheriv } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Media } from '../contract.ts';

/**
 * Part size in bytes, a multiple of the block size. Snapchat rejects 32 MiB because the form adds overhead (public
 * clients).
 */
export const PART_BYTES = 31 * 1024 * 1024;
const BLOCK = 16;

export interface Part {
  /** Starts at 1. */
  number: number;
  /** Offset in the file, and number of file bytes in the part; the last part may have none. */
  first: number;
  plain: number;
  /** Length of the encrypted part in bytes. */
  length: number;
  isLast: boolean;
}

/** Returns the length of the encrypted file in bytes. There is always padding. */
export function encipheredLength(bytes: number): number {
  return (Math.floor(bytes / BLOCK) + 1) * BLOCK;
}

export function partCount(bytes: number, partBytes = PART_BYTES): number {
  return Math.ceil(encipheredLength(bytes) / partBytes);
}

/** @param number starts at 1 @param partBytes a multiple of 16 */
export function partOf(bytes: number, number: number, partBytes = PART_BYTES): Part {
  const first = (number - 1) * partBytes;
  const isLast = number === partCount(bytes, partBytes);
  return {
    number,
    first,
    plain: isLast ? bytes - first : partBytes,
    length: isLast ? encipheredLength(bytes) - first : partBytes,
    isLast,
  };
}

/** Result of encrypting a part, available once it was read. */
export interface Sealed {
  bytes: number;
  /** Last encrypted block, base64; the chaining value for the next part. */
  tail: string;
}

/**
 * Returns an encrypted part as a stream.
 * @param key base64, 32 bytes
 * @param chain base64, 16 bytes: the IV for the first part, else the last block of the previous part
 * @param sealed filled while the stream is read
 */
export async function encipher(
  media: Pick<Media, 'stream'>,
  part: Part,
  key: string,
  chain: string,
  sealed: Sealed,
): Promise<Readable> {
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(chain, 'base64'));
  cipher.setAutoPadding(part.isLast);
  const { first, plain } = part;
  const source = plain > 0 ? await media.stream({ first, last: first + plain - 1 }) : Readable.from([]);
  let tail = Buffer.alloc(0);
  const note = (bytes: Buffer) => {
    sealed.bytes += bytes.length;
    tail = Buffer.concat([tail, bytes.subarray(-BLOCK)]).subarray(-BLOCK);
    sealed.tail = tail.toString('base64');
    return bytes;
  };
  async function* read(): AsyncGenerator<Buffer> {
    for await (const bytes of source as AsyncIterable<Buffer>) yield note(cipher.update(bytes));
    yield note(cipher.final());
  }
  return Readable.from(read(), { objectMode: false });
}
