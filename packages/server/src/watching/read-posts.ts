/** Reads the posts of an account page by page, with bounds for platforms that never end. */
import type { WatchedPost, WatchPosition } from '../connectors/contract.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/watching.ts';
import type { JsonObject } from '../outbound/json.ts';
import { BudgetEmpty } from '../outbound/platform-error.ts';
import type { BoundedPost, PostPage } from './bounded-list.ts';
import { MAX_NEW_POSTS, type Resume } from './watch-store.ts';

export interface PostsRead<Post extends WatchedPost = BoundedPost> {
  /** Each post once, in the order of the platform. */
  posts: Post[];
  /** The position to store; undefined: unchanged. */
  mark: JsonObject | undefined;
  /** Why posts may be missing; null if everything since `since` was read. */
  problem: Message | null;
  /** Whether repeating the check may find more. */
  again: boolean;
  /** Whether more posts follow once the position is stored. */
  more: boolean;
  /** Set if an empty budget stopped the check before its last page. The posts so far are complete. */
  stopped: Stop | null;
}

export interface Stop {
  cursor: string;
  pages: number;
  reason: BudgetEmpty;
}

/** Maximum number of pages per check, with those before it stopped. Most of them may be empty. */
const MAX_PAGES = 100;

/** A check reads no further page once it has this many posts, so that it does not fill the memory. */
const MAX_POSTS = 2 * MAX_NEW_POSTS;

/**
 * Reads pages until one is entirely older than `since`, or is the last. Posts move between pages while they are read,
 * so ids that appear twice are normal; a page without any new id means that the platform repeats itself. If a budget
 * becomes empty meanwhile, the check stops, and can be continued from that page.
 * @param from.since ms since the epoch @param from.resume where a stopped check continues
 * @param isLate whether no further page may be read
 * @throws PlatformError; BudgetEmpty if no page could be read
 */
export async function readPosts<Post extends WatchedPost>(
  list: (at: WatchPosition) => Promise<PostPage<Post>>,
  { resume, ...from }: { since: number; mark: JsonObject | null; resume?: Resume | null },
  isLate: () => boolean,
): Promise<PostsRead<Post>> {
  const found = new Map<string, Post>();
  let mark = resume?.mark ?? undefined;
  const end = (problem: Message | null, again: boolean, more = false) => ({
    posts: [...found.values()],
    mark,
    problem,
    again,
    more,
    stopped: null as Stop | null,
  });
  const first = resume?.pages ?? 0;
  for (let cursor = resume?.cursor ?? '', page = first; ; page++) {
    if (page >= MAX_PAGES) return end(say('too_many_posts'), false);
    const read = await list({ ...from, cursor }).catch((error) => {
      if (page === first || !(error instanceof BudgetEmpty)) throw error;
      return { reason: error };
    });
    if ('reason' in read) return { ...end(null, false), stopped: { ...read, cursor, pages: page } };
    const { posts, next, ...rest } = read;
    mark = rest.mark ?? mark;
    const known = found.size;
    for (const post of posts) found.set(`${post.account ?? ''} ${post.remoteId}`, post);
    const done =
      next === '' || (posts.length > 0 && posts.every(({ publishedAt }) => isOlder(publishedAt, from.since)));
    if (done) return end(null, false, rest.more);
    const repeats = next === cursor || (posts.length > 0 && found.size === known);
    if (repeats) return end(say('list_repeats'), true);
    if (found.size >= MAX_POSTS) return end(say('too_many_posts'), false);
    if (isLate()) return end(say('list_too_slow'), true);
    cursor = next;
  }
}

const isOlder = (publishedAt: number | null, since: number) => publishedAt !== null && publishedAt < since;
