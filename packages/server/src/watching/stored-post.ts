/**
 * Limits of what is kept of a found post. Servers that users name answer with what they like, so nothing of a post has a
 * length before it has passed here.
 */
import type { WatchedPost } from '../connectors/contract.ts';
import { cutText, storable, storableJson, TEXT_LIMITS, unifyLineBreaks, webUrl, wholeOrNull } from '../lib/text.ts';
import { storedMessage } from '../messages/stored.ts';
import { say } from '../messages/watching.ts';
import { publishedAt } from './post-times.ts';

/** In UTF-16 units. What is longer is too long for a repost in any case. */
const MAX_TEXT = 20_000;

/** Maximum length of a post's `file` as JSON, in bytes. */
const MAX_FILE_BYTES = 4_096;

/**
 * The post with cut texts, and without a file if the reference to it is too large; null if its id cannot be stored. The
 * result is a copy: a short part of a long string would keep all of it in memory.
 */
export function boundedPost(post: WatchedPost): WatchedPost | null {
  const { account, problem } = post;
  const remoteId = wholeOrNull(post.remoteId, TEXT_LIMITS.remoteId);
  if (!remoteId || (account !== undefined && wholeOrNull(account, TEXT_LIMITS.remoteId) === null)) return null;
  const file = post.file === null ? null : storableJson(post.file);
  const isTooLarge = Buffer.byteLength(JSON.stringify(file)) > MAX_FILE_BYTES;
  const bounded = {
    ...post,
    remoteId,
    // Cut first, so that the cost does not depend on the length. Line breaks may be two characters each.
    text: cutText(unifyLineBreaks(storable(post.text.slice(0, 2 * MAX_TEXT))), MAX_TEXT),
    url: webUrl(post.url),
    ...(isTooLarge ? { file: null, problem: problem ?? say('file_reference_too_large') } : { file }),
  };
  return JSON.parse(JSON.stringify(bounded));
}

/**
 * A post as a row of `watched_post`; null if its id cannot be stored.
 * @param now ms since the epoch
 */
export function storedPost(given: WatchedPost, now: number) {
  const post = boundedPost(given);
  if (!post) return null;
  const whole = (value: number | null) =>
    value !== null && Number.isFinite(value) && value >= 0 && value < 2 ** 31 ? Math.round(value) : null;
  return {
    account: post.account ?? null,
    remote_id: post.remoteId,
    published_at: new Date(publishedAt(post.publishedAt, now)),
    text: post.text,
    url: post.url,
    duration_ms: whole(post.durationMs),
    width: whole(post.width),
    height: whole(post.height),
    is_public: post.isPublic,
    file: post.file,
    problem: post.problem ? storedMessage(post.problem) : null,
  };
}
