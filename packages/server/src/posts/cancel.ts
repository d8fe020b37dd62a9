/** Takes back posts that have not started. Each change is one transaction, as in `change.ts`. */
import type { Transaction } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { releaseMedia } from '../media/media-store.ts';
import { uncountHistory } from '../plans/plan-store.ts';
import { giveBack } from '../plans/service.ts';
import {
  deletePost,
  type LockedPost,
  type LockedTarget,
  lockPost,
  rememberCancelled,
  wasCancelled,
} from './change-store.ts';
import type { PostDeps } from './types.ts';

/**
 * Permanently removes a scheduled post that has not started, with its video. Canceling it again within a day succeeds,
 * because the first response may have been lost.
 * @throws ReelayError `unknown_post`, `not_cancellable`
 */
export async function cancelPost({ db }: Pick<PostDeps, 'db'>, userId: string, postId: string): Promise<void> {
  if (!isUuid(postId)) throw new ReelayError('unknown_post');
  await db.transaction(async (tx) => {
    const post = await lockPost(tx, userId, postId);
    if (!post && (await wasCancelled(tx, userId, postId))) return;
    await cancelLocked(tx, userId, post);
  });
}

/**
 * Cancels a post in the transaction that has locked it.
 * @param post null: the user has no such post
 * @throws ReelayError `unknown_post`, `not_cancellable`
 */
export async function cancelLocked(tx: Transaction, userId: string, post: LockedPost | null): Promise<void> {
  assertCancellable(post);
  await rememberCancelled(tx, userId, post.id);
  await takeAway(tx, userId, post);
  await giveBack(tx, userId, post.createdAt);
}

/** @throws ReelayError `unknown_post`, `not_cancellable` */
export function assertCancellable(post: LockedPost | null): asserts post is LockedPost {
  if (!post) throw new ReelayError('unknown_post');
  if (!post.scheduled || waitingTargets(post).length === 0) throw new ReelayError('not_cancellable');
}

/** Deletes a post that is locked, and its entry in the history. */
export async function takeAway(tx: Transaction, userId: string, post: LockedPost): Promise<void> {
  await deletePost(tx, post.id);
  await releaseMedia(tx, [post.mediaId]);
  await uncountHistory(tx, userId, 1);
}

/** The targets that have not started; empty if one has started or all are final. */
export function waitingTargets({ targets }: LockedPost): LockedTarget[] {
  const begun = targets.some((target) => target.begun || (target.state !== 'scheduled' && target.state !== 'failed'));
  return begun ? [] : targets.filter((target) => target.state === 'scheduled' && !target.unproven);
}
