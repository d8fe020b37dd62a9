/**
 * Runs one step of a target: performs the work its state requires and writes the resulting transition. The irreversible
 * request is sent only after its `committing` row is durable.
 */

import type { Work } from '../../connectors/contract.ts';
import { isAway } from '../../db/database.ts';
import { afterInternalError, afterUnreadableCheckpoint, afterUnrecordedSend } from '../recovery.ts';
import { stopBeforeSend } from '../stop.ts';
import type { Task } from '../task.ts';
import { MIN_TOKEN_LIFE_MS } from './commit.ts';
import { afterError, type KnownAccount } from './failures.ts';
import { findObstacle } from './preconditions.ts';
import { prepare } from './prepare.ts';
import type { StepContext } from './step-context.ts';
import { pollConfirmation, verifySend } from './verify.ts';

/** Runs one step. @returns false when the lane was lost @throws ReelayError `database_unavailable` */
export async function runStep(task: Task, context: StepContext): Promise<boolean> {
  const { target } = task;
  const { clock, writer } = context;
  if (target.state === 'committing') return writer.commit(afterUnrecordedSend(target, clock.moment()));
  const stopped = stopBeforeSend(target);
  if (stopped) return writer.commit(stopped);
  // Verifying a target in `unknown` also works without its checkpoint.
  if (task.unreadable && target.state !== 'unknown')
    return writer.commit(afterUnreadableCheckpoint(target, clock.moment()));
  if (target.state !== 'unknown' && target.state !== 'confirming') {
    const obstacle = await findObstacle(task, context);
    if (obstacle) return writer.commit(obstacle);
  }
  // No call is counted before the account is open. Calls of sandbox accounts are never counted.
  const known: KnownAccount = { connector: context.sessions.connector(task.account.platform), sandbox: true };
  try {
    return await runWithAccount(task, context, known);
  } catch (error) {
    // The database is unavailable, so nothing can be written. The target is unaffected: the next holder of the lane
    // continues it.
    if (isAway(error)) throw error;
    if (context.lane.lost.aborted) return false;
    const current = writer.current();
    // The request may have been sent. Do not overwrite `committing` with an earlier state.
    if (current.state === 'committing') {
      context.reportBug(error);
      return writer.commit(afterInternalError(current, known.connector.completeWithoutIdMs, clock.moment()));
    }
    return writer.commit(await afterError(task, error, known, context));
  }
}

async function runWithAccount(task: Task, context: StepContext, known: KnownAccount): Promise<boolean> {
  const { budgets, clock, lane, media, sessions } = context;
  const account = await sessions.open(task.account.id, {
    minLifeMs: MIN_TOKEN_LIFE_MS,
    now: () => Math.floor(clock.now()),
    spend: async (budget) => {
      // The sandbox has no limits, so its calls are not counted.
      if (!known.sandbox) await budgets.spend(known.connector, budget);
    },
    countReads: async (reads) => {
      if (!known.sandbox) await budgets.countReads(known.connector, reads);
    },
  });
  known.sandbox = account.session.sandbox;
  const work: Work = {
    session: { ...account.session, http: (request) => account.session.http({ ...request, signal: lane.lost }) },
    post: {
      targetId: task.target.id,
      sendKey: task.target.sendKey,
      text: task.post.text,
      previewTimeMs: task.post.previewTimeMs,
      options: task.post.options,
    },
    media,
  };
  if (task.target.state === 'unknown') return verifySend(task, account, work, context);
  if (task.target.state === 'confirming') return pollConfirmation(task, account, work, context);
  return prepare(task, account, work, context);
}
