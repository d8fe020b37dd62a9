/** Writes the transitions of one task. */
import { settleWithin } from '../../errors/time-limit.ts';
import type { PublisherEvents } from '../events.ts';
import type { HeldLane, Leases } from '../leases.ts';
import type { SendOutcome } from '../send.ts';
import { stopAfterVerification } from '../stop.ts';
import type { Target, Transition } from '../target.ts';
import type { Task } from '../task.ts';
import type { Writer } from '../writer.ts';

export interface StepWriter {
  /** The target as written so far. */
  current(): Target;
  /**
   * Writes a transition under the fencing token.
   * @param leaseMs extends the lease
   * @returns false when the lane was lost: stop at once
   */
  commit(transition: Transition, leaseMs?: number): Promise<boolean>;
  /** Writes the outcome of a send. Keeps it as evidence if the lane was lost or the database does not respond. */
  commitOutcome(outcome: SendOutcome, transition: Transition): Promise<boolean>;
}

const RESULT_WITHIN_MS = 5_000;

/** @param deps.resultWithinMs how long writing an outcome may take before it is also kept as evidence */
export function createStepWriter(
  deps: { writer: Writer; leases: Leases; events: PublisherEvents; resultWithinMs?: number },
  task: Task,
  held: HeldLane,
): StepWriter {
  const { writer, leases, events, resultWithinMs = RESULT_WITHIN_MS } = deps;
  let current = task;
  const commit = async (decided: Transition, leaseMs?: number) => {
    const transition = stopAfterVerification(current.target, decided);
    if (!(await writer.write(current, transition, held, leaseMs ?? null))) return false;
    held.progressAt = leases.mark().monotonic;
    events.moved(current, transition);
    current = { ...current, target: { ...transition.target, version: current.target.version + 1 } };
    return true;
  };
  return {
    current: () => current.target,
    commit,
    async commitOutcome(outcome, transition) {
      try {
        if (await settleWithin(resultWithinMs, commit(transition))) return true;
      } catch (error) {
        events.failed('outcome', error);
      }
      await writer.keep(current, outcome);
      return false;
    },
  };
}
