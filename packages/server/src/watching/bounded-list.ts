/**
 * Lists posts within limits of size. Every `list` of a connector is called through this file, because the server that
 * answers may be the user's own: a page has as many posts as fit in a response, and each of them any length.
 */
import type { WatchFlow } from '../connectors/contract.ts';
import { wholeOrNull } from '../lib/text.ts';
import { say } from '../messages/timeline.ts';
import { PlatformError } from '../outbound/platform-error.ts';
import { boundedPost } from './stored-post.ts';

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
export function boundedList(flow: Pick<WatchFlow, 'list'>): Pick<WatchFlow, 'list'> {
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
