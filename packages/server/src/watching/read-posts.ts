/** Reads the posts of an account page by page, with bounds for platforms that never end. */
import type { Session, WatchedPost } from '../connectors/contract.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/watching.ts';
import type { JsonObject } from '../outbound/json.ts';
import type { BoundedPost, PostList } from './bounded-list.ts';
import { MAX_NEW_POSTS } from './watch-store.ts';

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
}

/** Maximum number of pages per check. Most of them may be empty. */
const MAX_PAGES = 100;

/** A check reads no further page once it has this many posts, so that it does not fill the memory. */
const MAX_POSTS = 2 * MAX_NEW_POSTS;

/**
 * Reads pages until one is entirely older than `since`, or is the last. Posts move between pages while they are read,
 * so ids that appear twice are normal; a page without any new id means that the platform repeats itself.
 * @param from.since ms since the epoch @param isLate whether no further page may be read
 * @throws PlatformError, BudgetEmpty
 */
export async function readPosts<Post extends WatchedPost>(
  flow: PostList<Post>,
  session: Session,
  from: { since: number; mark: JsonObject | null },
  isLate: () => boolean,
): Promise<PostsRead<Post>> {
  const found = new Map<string, Post>();
  let mark: JsonObject | undefined;
  const end = (problem: Message | null, again: boolean, more = false) => ({
    posts: [...found.values()],
    mark,
    problem,
    again,
    more,
  });
  for (let cursor = '', page = 0; ; page++) {
    if (page === MAX_PAGES) return end(say('too_many_posts'), false);
    const { posts, next, ...rest } = await flow.list(session, { ...from, cursor });
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
