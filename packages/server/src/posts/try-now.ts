/** Moves the next try of targets in trouble to now. */
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { say } from '../messages/timeline.ts';
import { appendTimeline } from '../publishing/timeline-store.ts';
import { lowerLanes } from '../queue/lane-locks.ts';
import { lockPost, moveTries } from './change-store.ts';
import type { PostDeps } from './types.ts';

export interface TryNow {
  /** Account ids; absent: every account in trouble. */
  platforms?: readonly string[] | undefined;
  /** Only trouble with this code. */
  code?: string | undefined;
}

/**
 * Lets workers try targets in trouble again now. Only their time changes: an unknown outcome is verified before anything is
 * sent, and limits are asked for again. A target whose time was moved within the last 30 s keeps it.
 * @throws ReelayError `unknown_post`, `unknown_platform`, `nothing_to_try`
 */
export async function tryNow(
  { db, wake }: Pick<PostDeps, 'db' | 'wake'>,
  userId: string,
  postId: string,
  { platforms, code }: TryNow,
): Promise<void> {
  if (!isUuid(postId)) throw new ReelayError('unknown_post');
  await db.transaction(async (tx) => {
    const post = await lockPost(tx, userId, postId);
    if (!post) throw new ReelayError('unknown_post');
    const foreign = platforms?.find((id) => post.targets.every(({ accountId }) => accountId !== id));
    if (foreign !== undefined) throw apiError('account_not_in_post', { id: foreign.slice(0, 100) });
    const chosen = post.targets.filter(
      ({ accountId, troubleCode }) =>
        troubleCode !== null && (code ?? troubleCode) === troubleCode && (platforms?.includes(accountId) ?? true),
    );
    if (chosen.length === 0) throw new ReelayError('nothing_to_try');
    const moved = await moveTries(
      tx,
      chosen.map(({ id }) => id),
    );
    if (moved.length === 0) return;
    await appendTimeline(tx, moved, [{ event: 'retry', message: say('try_requested') }]);
    const lanes = chosen.flatMap(({ id, identityId }) => (moved.includes(id) ? [identityId] : []));
    await lowerLanes(tx, lanes, userId);
    tx.afterCommit(wake);
  });
}
