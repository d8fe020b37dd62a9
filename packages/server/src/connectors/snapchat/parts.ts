/**
 * How a file is enciphered and cut: AES-256-CBC over the whole file with the padding of PKCS #7, then parts. In CBC each
 * block depends on the one before only, so a part is enciphered by itself, from the last block of the part before it:
 * nothing is read twice, nothing is held in memory, and a part that is sent again has the same bytes.
 */
import { createCipheriv } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Media } from '../contract.ts';

/** 32 MiB are refused because of the form around them (public clients). A multiple of a block. */
export const PART_BYTES = 31 * 1024 * 1024;
const BLOCK = 16;

export interface Part {
  /** From 1. */
  number: number;
  /** How many bytes of the file it begins behind, and how many it has of them; the last one may have none. */
  first: number;
  plain: number;
  /** Bytes of the enciphered part. */
  length: number;
  isLast: boolean;
}

/** Bytes of the enciphered file: there is always padding. */
export function encipheredLength(bytes: number): number {
  return (Math.floor(bytes / BLOCK) + 1) * BLOCK;
}

export function partCount(bytes: number, partBytes = PART_BYTES): number {
  return Math.ceil(encipheredLength(bytes) / partBytes);
}

/** @param number from 1 to the count @param partBytes a multiple of 16 */
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

/** What a part came to once it was read. */
export interface Sealed {
  bytes: number;
  /** Its last block, base64: what the next part begins from. */
  tail: string;
}

/**
 * A part as it is sent.
 * @param key base64, 32 bytes
 * @param chain base64, 16 bytes: the file's vector for the first part, else the last block of the part before
 * @param sealed is filled while the part is read
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
