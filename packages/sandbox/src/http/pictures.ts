/** Recognizes uploaded pictures by their first bytes. */
import type { Blobs } from '../contract.ts';

/** First bytes of each type, in hex. */
export const PICTURES: Readonly<Record<string, string>> = { 'image/jpeg': 'ffd8ff', 'image/png': '89504e470d0a1a0a' };

/** Returns the first bytes of a blob in hex. */
export async function firstBytes(blobs: Blobs, key: string, count = 8): Promise<string> {
  const size = (await blobs.size(key)) ?? 0;
  if (size === 0) return '';
  const parts = await (await blobs.get(key, { first: 0, last: Math.min(size, count) - 1 })).toArray();
  return Buffer.concat(parts).toString('hex');
}
