/** Found posts as rows of `watched_post`. */
import { storedMessage } from '../messages/stored.ts';
import type { BoundedPost } from './bounded-list.ts';
import { publishedAt } from './post-times.ts';

/**
 * A post as a row of `watched_post`. Only posts with limited texts can be stored.
 * @param now ms since the epoch
 */
export function storedPost(post: BoundedPost, now: number) {
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
