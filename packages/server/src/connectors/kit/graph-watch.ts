/** What watching has in common on the platforms of the Graph API. */
import { HOUR, MINUTE } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject, WatchedFile, WatchedPost, WatchPage, WatchPosition } from '../contract.ts';
import { transient } from './failures.ts';
import { CLOCK_SLACK_MS, type GraphPage, graphTime } from './graph-api.ts';
import { textAt } from './json.ts';

const ID = /^[\w-]{1,100}$/;

/** Posts per page. */
export const PAGE_SIZE = 50;

/** The file of a post may be missing at first, so its absence is believed only later. */
const FILE_DELAY_MS = HOUR;
const FILE_RETRY_MS = 10 * MINUTE;

/**
 * Reads the posts of a page. The list is sorted from new to old, so it ends with a page whose last item is old. The
 * first items prove nothing: they may be pinned.
 * @param read returns null for what is not a post with a video
 */
export function watchPage(
  { items, next, aheadMs }: Pick<GraphPage, 'items' | 'next' | 'aheadMs'>,
  { since }: Pick<WatchPosition, 'since'>,
  timeField: 'timestamp' | 'created_time',
  read: (item: unknown) => WatchedPost | null,
): WatchPage {
  const posts = items.map(read).filter((post): post is WatchedPost => post !== null && ID.test(post.remoteId));
  const last = graphTime(textAt(items.at(-1), timeField));
  const isEnd = last !== null && last < since + aheadMs - CLOCK_SLACK_MS;
  return { posts, next: isEnd ? '' : next };
}

/**
 * Reads where the file of a post is.
 * @param why for a post without a file @throws PlatformError if the post is so new that its file may still come
 */
export function watchedFile(
  post: JsonObject,
  [urlField, timeField]: readonly [url: 'media_url' | 'source', time: 'timestamp' | 'created_time'],
  now: number,
  why: Message,
): WatchedFile {
  const url = textAt(post, urlField);
  if (/^https?:\/\//.test(url)) return { found: 'file', url };
  const publishedAt = graphTime(textAt(post, timeField));
  if (publishedAt !== null && now - publishedAt < FILE_DELAY_MS) throw new PlatformError(transient(why, FILE_RETRY_MS));
  return { found: 'none', why };
}
