/** Runs one claimed lane: advances its due targets step by step, then releases it. */
import { isAway } from '../../db/database.ts';
import type { Sealer } from '../../lib/encryption/seal.ts';
import { LEASE_MS, nextInHand } from '../lanes.ts';
import type { HeldLane } from '../leases.ts';
import { afterCrash, afterInternalError } from '../recovery.ts';
import { limitSessions } from '../sessions.ts';
import { runStep } from '../step/step.ts';
import { createStepContext, type StepContext, type StepDeps } from '../step/step-context.ts';
import type { Task } from '../task.ts';
import { loadTasks } from '../task-store.ts';
import type { Releases } from './releases.ts';

export interface LaneRunnerOptions extends StepDeps {
  sealer: Sealer;
  releases: Releases;
  /** Other lanes wait for a slot. */
  isPressed: () => boolean;
  /** Nothing may be written or released any more. */
  isAborted: () => boolean;
}

/**
 * Works on a lane until no target is due, the lane is lost, or other lanes wait. Never rejects.
 * @param first the target in progress; undefined: no target is due
 */
export type LaneRunner = (held: HeldLane, first: Task | undefined) => Promise<void>;

export function createLaneRunner(options: LaneRunnerOptions): LaneRunner {
  const { db, sealer, events, leases, releases, isAborted } = options;
  const deps = { ...options, sessions: limitSessions(options.sessions) };

  return async (held, first) => {
    const { lane } = held;
    let context: StepContext | null = null;
    try {
      for (let task = first; task; ) {
        context = createStepContext(deps, task, held);
        const crashed = task === first && lane.crashedWith === task.target.id && task.target.state !== 'committing';
        // Counting the crash is a step of its own, so a target that crashes its worker is delayed before it runs again.
        const step = crashed
          ? context.writer.commit(afterCrash(task.target, context.clock.moment()))
          : runStep(task, context);
        if (!(await step) || options.isPressed() || options.isStopping()) break;
        // Later errors are not caused by this target.
        context = null;
        const inHand = await nextInHand(db, lane);
        if (!inHand) break;
        [task] = await loadTasks(db, sealer, [{ ...lane, inHand, crashedWith: null }]);
      }
    } catch (error) {
      if (!isAborted()) events.failed('lane', error);
      if (!isAway(error) && !(await recordBug(error, context))) {
        // Even the failure cannot be written. Only this pause before the next attempt prevents a busy loop.
        void releases.release(lane, LEASE_MS);
        return leases.drop(held);
      }
    }
    await releases.release(lane);
    leases.drop(held);
  };

  /**
   * Records an unexpected error of a target as a failure with growing pauses.
   * @returns false when it cannot be written either
   */
  async function recordBug(error: unknown, context: StepContext | null): Promise<boolean> {
    if (!context || isAborted()) return false;
    const { clock, writer } = context;
    context.reportBug(error);
    const target = writer.current();
    if (target.dueAt === null) return true;
    // The connector is unavailable here. An internal error must not end a post that the platform reported as complete,
    // so there is no limit.
    return writer.commit(afterInternalError(target, Number.POSITIVE_INFINITY, clock.moment())).then(
      () => true,
      (again) => {
        events.failed('lane', again);
        return false;
      },
    );
  }
}
