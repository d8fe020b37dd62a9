/**
 * Changes existing posts: remove, retry. Each is one transaction that locks lanes before it reads states.
 * So a change and a worker's claim, or two changes, are serialized.
 */
import type { Transaction } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { takenPlaces } from '../lineage/occupancy.ts';
import { placeUnproven } from '../lineage/placement.ts';
import { identitiesWithCopies } from '../lineage/retried-copies.ts';
import { lockMedia } from '../media/media-store.ts';
import { reorderFailed } from '../media/rendition/rendition-store.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/timeline.ts';
import { countPost } from '../plans/service.ts';
import { isFinal } from '../publishing/target.ts';
import { appendTimeline } from '../publishing/timeline-store.ts';
import { lowerLanes } from '../queue/lane-locks.ts';
import { takeAway } from './cancel.ts';
import {
  copyToFirings,
  holdMedia,
  type LockedPost,
  type LockedTarget,
  lockPost,
  type Reopening,
  reopenTargets,
} from './change-store.ts';
import type { PostDeps } from './types.ts';

type Deps = Pick<PostDeps, 'db' | 'config' | 'wake'>;

/** Removes a finished post here. It stays on the platforms. @throws ReelayError `unknown_post`, `not_deletable` */
export async function removePost({ db }: Pick<Deps, 'db'>, userId: string, postId: string): Promise<void> {
  if (!isUuid(postId)) throw new ReelayError('unknown_post');
  await db.transaction(async (tx) => {
    const post = await lockPost(tx, userId, postId);
    if (!post) throw new ReelayError('unknown_post');
    if (!post.targets.every(isFinal)) throw new ReelayError('not_deletable');
    await lockMedia(tx, [post.mediaId]);
    await copyToFirings(tx, postId);
    await placeUnproven(tx, postId);
    await takeAway(tx, userId, post);
  });
}

export interface Retry {
  /** Account ids; absent: every failed account. */
  platforms?: readonly string[] | undefined;
  /** Required if the platform may already have the post. */
  acceptDuplicate?: boolean | undefined;
}

/**
 * Reopens failed targets. If a send may have worked, it is verified first. Targets that failed before the scheduled time
 * wait for it. Does not count against the plan.
 * @throws ReelayError `unknown_post`, `unknown_platform`, `not_retryable`, `already_there`, `video_gone`,
 * `plan_limit_reached`
 */
export async function retryPost(deps: Deps, userId: string, postId: string, retry: Retry): Promise<void> {
  if (!isUuid(postId)) throw new ReelayError('unknown_post');
  await deps.db.transaction(async (tx) => {
    const post = await lockPost(tx, userId, postId);
    if (!post) throw new ReelayError('unknown_post');
    const targets = chooseRetried(post, retry, await takenTargets(tx, post, retry));
    if (!(await holdMedia(tx, post.mediaId))) throw new ReelayError('video_gone');
    // A repost that failed at the plan's limit was never counted.
    if (post.targets.every((target) => target.code === 'plan_limit_reached'))
      await countPost(tx, deps.config.plans, userId);
    const acceptDuplicate = retry.acceptDuplicate ?? false;
    await reorderFailed(
      tx,
      targets.map((target) => target.id),
    );
    for (const state of ['unknown', 'scheduled', 'waiting'] as const) {
      const ids = targets.filter((target) => reopenedState(post, target) === state).map((target) => target.id);
      const dueAt = state === 'scheduled' ? post.date : null;
      await reopenTargets(tx, ids, { state, dueAt, acceptDuplicate: state === 'unknown' && acceptDuplicate });
      await appendTimeline(tx, ids, [{ event: 'retry', message: RETRY_MESSAGES[state](post.date) }]);
    }
    await lowerLanes(
      tx,
      targets.map((target) => target.identityId),
      userId,
    );
    tx.afterCommit(deps.wake);
  });
}

/** Failed targets whose accounts have the content by another path, or perhaps have a copy. */
async function takenTargets(tx: Transaction, { id, targets }: LockedPost, retry: Retry): Promise<Set<string>> {
  const failed = targets.filter(({ state }) => state === 'failed');
  const taken = await takenPlaces(
    tx,
    failed.map((target) => target.id),
  );
  const open = failed.filter((target) => !target.unproven && target.code !== 'outcome_unknown');
  const copied = await identitiesWithCopies(
    tx,
    id,
    open.map(({ identityId }) => identityId),
    retry.acceptDuplicate ?? false,
  );
  return new Set([...taken, ...open.flatMap((each) => (copied.includes(each.identityId) ? [each.id] : []))]);
}

/** Selects the targets a retry reopens. Pure. @param taken targets whose account has the content by another path */
export function chooseRetried(
  post: Pick<LockedPost, 'targets'>,
  retry: Retry,
  taken: ReadonlySet<string>,
): LockedTarget[] {
  const failed = (target: LockedTarget) => target.state === 'failed';
  const open = ({ id }: LockedTarget) => !taken.has(id);
  const allowed = (target: LockedTarget) => target.code !== 'outcome_unknown' || retry.acceptDuplicate === true;
  if (!retry.platforms) {
    const all = post.targets.filter(failed);
    const left = all.filter(open);
    const chosen = left.filter(allowed);
    if (chosen.length > 0) return chosen;
    if (all.length > 0 && left.length === 0) throw new ReelayError('already_there');
    throw all.length > 0 ? apiError('target_may_be_posted') : new ReelayError('not_retryable');
  }
  return [...new Set(retry.platforms)].map((id) => {
    const target = post.targets.find((each) => each.accountId === id);
    if (!target) throw apiError('account_not_in_post', { id: id.slice(0, 100) });
    if (!failed(target)) throw apiError('target_not_failed', { id });
    if (!open(target)) throw apiError('target_already_there', { id });
    if (!allowed(target)) throw apiError('target_may_be_posted');
    return target;
  });
}

/** The state in which a retry reopens a target. `scheduled`: it failed before the scheduled time, and waits for it. */
function reopenedState(post: Pick<LockedPost, 'ahead'>, { begun, unproven, code }: LockedTarget): Reopening['state'] {
  if (unproven || code === 'outcome_unknown') return 'unknown';
  return post.ahead && !begun ? 'scheduled' : 'waiting';
}

const RETRY_MESSAGES: Readonly<Record<Reopening['state'], (date: Date) => Message>> = {
  unknown: () => say('retry_requested_verify'),
  scheduled: (date) => say('retry_scheduled', { dueAt: date.getTime() }),
  waiting: () => say('retry_requested'),
};
