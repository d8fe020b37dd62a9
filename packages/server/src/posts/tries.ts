/** What a user can do about targets that are being tried: try them now, or stop. */
import type { Transaction } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/timeline.ts';
import { isFinal } from '../publishing/target.ts';
import { appendTimeline } from '../publishing/timeline-store.ts';
import { lowerLanes } from '../queue/lane-locks.ts';
import { type LockedTarget, lockPost, moveTries, requestStop } from './change-store.ts';
import type { PostDeps } from './types.ts';

type Deps = Pick<PostDeps, 'db' | 'wake'>;

export interface Chosen {
  /** Account ids; absent: every account. */
  platforms?: readonly string[] | undefined;
  /** Only accounts whose trouble has this code. */
  code?: string | undefined;
}

/**
 * Lets workers try targets in trouble again now. Only their time changes: an unknown outcome is verified before anything is
 * sent, and limits are asked for again. A target whose time was moved within the last 30 s keeps it.
 * @throws ReelayError `unknown_post`, `unknown_platform`, `nothing_to_try`
 */
export function tryNow(deps: Deps, userId: string, postId: string, chosen: Chosen): Promise<void> {
  return changeTries(deps, userId, postId, {
    ...chosen,
    isMeant: ({ troubleCode }) => troubleCode !== null,
    none: 'nothing_to_try',
    change: moveTries,
    entry: { event: 'retry', message: say('try_requested') },
  });
}

/**
 * Lets workers end targets. What was not sent, or provably had no effect, fails as `stopped`. Another one is verified once
 * more, and then fails as `outcome_unknown` if that shows no result.
 * @throws ReelayError `unknown_post`, `unknown_platform`, `nothing_to_stop`
 */
export function stopTrying(deps: Deps, userId: string, postId: string, chosen: Chosen): Promise<void> {
  return changeTries(deps, userId, postId, {
    ...chosen,
    isMeant: (target) => !isFinal(target),
    none: 'nothing_to_stop',
    change: requestStop,
    entry: { event: 'stop', message: say('stop_requested') },
  });
}

interface Change extends Chosen {
  isMeant(target: LockedTarget): boolean;
  /** The error if the change is for no target. */
  none: 'nothing_to_try' | 'nothing_to_stop';
  /** @returns ids of the targets that were changed */
  change(tx: Transaction, ids: readonly string[]): Promise<string[]>;
  entry: { event: string; message: Message };
}

async function changeTries(
  { db, wake }: Deps,
  userId: string,
  postId: string,
  { platforms, code, isMeant, none, change, entry }: Change,
): Promise<void> {
  if (!isUuid(postId)) throw new ReelayError('unknown_post');
  await db.transaction(async (tx) => {
    const post = await lockPost(tx, userId, postId);
    if (!post) throw new ReelayError('unknown_post');
    const foreign = platforms?.find((id) => post.targets.every(({ accountId }) => accountId !== id));
    if (foreign !== undefined) throw apiError('account_not_in_post', { id: foreign.slice(0, 100) });
    const chosen = post.targets.filter(
      (target) =>
        isMeant(target) &&
        (code === undefined || code === target.troubleCode) &&
        (platforms?.includes(target.accountId) ?? true),
    );
    if (chosen.length === 0) throw new ReelayError(none);
    const changed = await change(
      tx,
      chosen.map(({ id }) => id),
    );
    if (changed.length === 0) return;
    await appendTimeline(tx, changed, [entry]);
    const lanes = chosen.flatMap(({ id, identityId }) => (changed.includes(id) ? [identityId] : []));
    await lowerLanes(tx, lanes, userId);
    tx.afterCommit(wake);
  });
}
