/** The videos that platforms fetch from us: each address names one target, and ends with it or after its time. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Queryable } from '../db/database.ts';
import { answerRange } from '../http/ranges.ts';
import type { Storage } from '../storage/contract.ts';
import { findLinked } from './store.ts';
import { readToken, tokenIn } from './token.ts';

export interface LinksNeeds {
  db: Queryable;
  storage: Storage;
  /** Signs the links. */
  key: Buffer;
}

export interface LinkAnswer {
  status: number;
  headers: Record<string, string | number>;
  /** null: no body. */
  body: Readable | null;
}

/**
 * What a request for a link is answered with; null where the link is not ours, is over, or its video is gone.
 * @param path below the public address, without the query
 * @throws StorageMissing when the file went away just now
 */
export async function openLink(
  { db, storage, key }: LinksNeeds,
  path: string,
  asked: IncomingHttpHeaders,
  method: 'GET' | 'HEAD',
): Promise<LinkAnswer | null> {
  const targetId = readToken(key, tokenIn(path), Date.now());
  const video = targetId ? await findLinked(db, targetId) : undefined;
  const size = video ? await storage.size(video.storageKey) : null;
  if (!video || size === null) return null;
  const { status, headers, range } = answerRange(asked, size, `"${video.sha256}"`);
  const body = range && method === 'GET' ? await storage.read(video.storageKey, range) : null;
  return { status, headers: { ...headers, 'content-type': video.facts.mime }, body };
}
