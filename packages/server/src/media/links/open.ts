/** Signed links to videos that platforms fetch. Each link is for one target and ends with it or at its expiry. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Queryable } from '../../db/database.ts';
import { answerRange } from '../../lib/ranges.ts';
import type { Storage } from '../../storage/contract.ts';
import { findLinked } from './link-store.ts';
import { readToken, tokenIn } from './token.ts';

export interface MediaLinkDeps {
  db: Queryable;
  storage: Storage;
  /** Signs the links. */
  key: Buffer;
}

export interface LinkResponse {
  status: number;
  headers: Record<string, string | number>;
  /** null: no body. */
  body: Readable | null;
}

/**
 * Responds to a link request.
 * @returns null if the link is invalid or expired, or its video is gone
 * @param path below the public URL, without the query
 * @throws StorageMissing if the file was deleted just now
 */
export async function openLink(
  { db, storage, key }: MediaLinkDeps,
  path: string,
  asked: IncomingHttpHeaders,
  method: 'GET' | 'HEAD',
): Promise<LinkResponse | null> {
  const targetId = readToken(key, tokenIn(path), Date.now());
  const video = targetId ? await findLinked(db, targetId) : undefined;
  const size = video ? await storage.size(video.storageKey) : null;
  if (!video || size === null) return null;
  const { status, headers, range } = answerRange(asked, size, `"${video.sha256}"`);
  const body = range && method === 'GET' ? await storage.read(video.storageKey, range) : null;
  return { status, headers: { ...headers, 'content-type': video.facts.mime }, body };
}
