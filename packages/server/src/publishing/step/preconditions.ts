/** Conditions that fail or delay a target before any call to its platform. */
import { MINUTE } from '../../lib/time.ts';
import { say } from '../../messages/timeline.ts';
import type { Transition } from '../target.ts';
import type { Task } from '../task.ts';
import { minutesWithoutWorker } from '../task-store.ts';
import { fail } from '../transitions.ts';
import type { StepContext } from './step-context.ts';

/**
 * A target first claimed more than this many minutes after its due time is late. Only minutes without any worker count.
 */
const LATE_AFTER_MINUTES = 60;
const STAGGER_MS = 2 * MINUTE;

/** @returns the transition that fails or delays the target; null when its step can run */
export async function findObstacle(task: Task, { beat, clock, db }: StepContext): Promise<Transition | null> {
  const { target } = task;
  const now = clock.now();
  // Work started before the account was disconnected may finish. Its tokens are kept until then.
  const finishing = task.account.status === 'DISCONNECTED' && target.begunAt !== null;
  if (task.account.status !== 'CONNECTED' && !finishing)
    return fail(target, 'reconnect_required', say('account_disconnected'));
  if (task.media.state !== 'stored') return fail(target, 'internal_error', say('file_gone'));
  if (target.deadlineAt !== null && now > target.deadlineAt)
    return fail(target, 'platform_unavailable', say('deadline_passed'));
  if (target.begunAt !== null || target.dueAt === null || now - target.dueAt < LATE_AFTER_MINUTES * MINUTE) return null;
  // The database's clock may have jumped since the last report of this worker.
  await beat();
  if ((await minutesWithoutWorker(db, target.dueAt)) <= LATE_AFTER_MINUTES) return null;
  return afterMissedTime(task, now);
}

/** The service was not running when the target was due. The user's setting decides whether it is skipped or waits. */
function afterMissedTime({ target, owner, lastTurnAt }: Task, now: number): Transition | null {
  if (owner.late === 'skip') return fail(target, 'late_skipped', say('late_skipped'));
  const turn = lastTurnAt === null ? now : lastTurnAt + STAGGER_MS;
  if (turn <= now) return null;
  return {
    target: { ...target, dueAt: turn, countsFrom: turn },
    entries: [{ event: 'late', message: say('late', { pauseMs: turn - now }) }],
  };
}
