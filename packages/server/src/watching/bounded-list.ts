/**
 * Lists posts within limits of size. Every `list` of a connector is called through this file, because the server that
 * answers may be the user's own: a page has as many posts as fit in a response, and each of them any length.
 */
import type { WatchedPost, WatchFlow, WatchPage } from '../connectors/contract.ts';
import { cutText, storable, storableJson, TEXT_LIMITS, unifyLineBreaks, webUrl, wholeOrNull } from '../lib/text.ts';
import { say } from '../messages/timeline.ts';
import { say as sayWatching } from '../messages/watching.ts';
import { PlatformError } from '../outbound/platform-error.ts';

declare const isBounded: unique symbol;

/** A post with limited texts. Only this file makes one, so nothing else can be stored. */
export type BoundedPost = WatchedPost & { readonly [isBounded]: true };

/** A page of posts, as a {@link WatchFlow} lists it. */
export type PostPage<Post extends WatchedPost = BoundedPost> = Omit<WatchPage, 'posts'> & { posts: readonly Post[] };

/** Lists posts as a {@link WatchFlow} does. */
export interface PostList {
  list(...given: Parameters<WatchFlow['list']>): Promise<PostPage>;
}

/** Maximum number of posts per page. No connector asks a platform for more. */
export const MAX_PAGE_POSTS = 100;

/** In UTF-16 units. */
const MAX_CURSOR = 4_000;

/** A cursor into a page with more posts than that: how many of them were given, and the platform's cursor. */
const WITHIN_PAGE = /^after:(\d{1,7}):/;

/**
 * Lists posts as the flow does, at most {@link MAX_PAGE_POSTS} a page. What a server sends beyond them is on the next
 * page, for which the server is asked again. @throws PlatformError for a cursor that cannot be stored; also what the flow
 * throws
 */
export function boundedList(flow: Pick<WatchFlow, 'list'>): PostList {
  return {
    async list(session, at) {
      const [prefix, given] = WITHIN_PAGE.exec(at.cursor) ?? ['', 0];
      const cursor = at.cursor.slice(prefix.length);
      const page = await flow.list(session, { ...at, cursor });
      const end = Number(given) + MAX_PAGE_POSTS;
      const next = page.posts.length > end ? `after:${end}:${cursor}` : wholeOrNull(page.next, MAX_CURSOR);
      if (next === null) throw new PlatformError({ kind: 'transient', detail: say('list_unreadable') });
      return { ...page, posts: page.posts.slice(Number(given), end).flatMap((post) => boundedPost(post) ?? []), next };
    },
  };
}

/** Of a text in UTF-16 units. What is longer is too long for a repost in any case. */
const MAX_TEXT = 20_000;

/** Maximum length of a post's `file` as JSON, in bytes. */
const MAX_FILE_BYTES = 4_096;

/**
 * The post with cut texts, and without a file if the reference to it is too large; null if its id cannot be stored. The
 * result is a copy: a short part of a long string would keep all of it in memory.
 */
function boundedPost(post: WatchedPost): BoundedPost | null {
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
    ...(isTooLarge ? { file: null, problem: problem ?? sayWatching('file_reference_too_large') } : { file }),
  };
  return JSON.parse(JSON.stringify(bounded));
}
