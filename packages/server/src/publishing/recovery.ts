/** Transitions after crashes, failed calls and internal errors: pure functions like those in decide.ts. */
import { MINUTE } from '../lib/time.ts';
import { say } from '../messages/timeline.ts';
import type { Failure } from '../outbound/platform-error.ts';
import { afterFailedPoll, afterFailedVerification, afterFailure, becomeUnknown } from './decide.ts';
import { crashPause, retryPause } from './retry-pauses.ts';
import type { Target, Transition } from './target.ts';
import { deadlineOf, entry, fail, inTrouble, type Moment } from './transitions.ts';

/**
 * The previous holder disappeared while it worked on this target. Counts the crash and delays a target that keeps
 * crashing workers.
 */
export function afterCrash(target: Target, moment: Moment): Transition {
  const crashes = target.crashes + 1;
  const counted: Target = { ...target, crashes };
  const pause = crashPause(crashes);
  if (pause === null)
    return {
      target: counted,
      entries: [entry('crash', say('worker_lost'))],
    };
  if (pause === undefined && target.state !== 'unknown' && target.state !== 'confirming')
    return fail(counted, 'internal_error', say('worker_lost_too_often', { crashes }));
  const wait = pause ?? 30 * MINUTE;
  const reason = say('worker_lost_repeatedly', { crashes, pauseMs: wait });
  return {
    target: { ...inTrouble(counted, { code: 'internal_error', reason }, moment), dueAt: moment.now + wait },
    entries: [entry('crash', reason)],
  };
}

/** The target is in `committing` without a recorded outcome: the request may have been sent. */
export function afterUnrecordedSend(target: Target, moment: Moment): Transition {
  return becomeUnknown(target, say('outcome_not_recorded'), moment);
}

/**
 * The checkpoint cannot be decrypted: its key is gone, or this node does not have it. Before a send, the work starts
 * over. After the platform accepted the video, only a verification without the checkpoint can tell the outcome.
 */
export function afterUnreadableCheckpoint(target: Target, moment: Moment): Transition {
  if (target.state === 'confirming') return becomeUnknown(target, say('progress_unreadable_verify'), moment);
  return {
    target: { ...target, checkpoint: null, dueAt: moment.now },
    entries: [entry('restart', say('progress_unreadable'))],
  };
}

/** A call other than a send failed. What that means depends on the target's state. */
export function afterFailedCall(
  target: Target,
  failure: Failure,
  completeWithoutIdMs: number,
  moment: Moment,
): Transition {
  if (target.state === 'confirming') return afterFailedPoll(target, failure, completeWithoutIdMs, moment);
  if (target.state === 'unknown') return afterFailedVerification(target, failure, moment);
  return afterFailure(target, failure, moment);
}

/** The access token had expired and was refreshed. Retries at once, unless the previous refresh did not help. */
export function afterRefresh({ attempts }: Target): Failure {
  const detail = say('access_refreshed');
  return attempts === 0 ? { kind: 'transient', detail, waitMs: 0 } : { kind: 'transient', detail };
}

const INTERNAL: Failure = { kind: 'transient', detail: say('internal_error') };

/** Handles an unexpected error by the target's state. After a send it never returns to a state before the send. */
export function afterInternalError(target: Target, completeWithoutIdMs: number, moment: Moment): Transition {
  switch (target.state) {
    case 'committing':
      return becomeUnknown(target, say('internal_error_verify'), moment);
    case 'unknown':
      return afterFailedVerification(target, INTERNAL, moment);
    case 'confirming':
      return afterFailedPoll(target, INTERNAL, completeWithoutIdMs, moment);
    default:
      return afterBug(target, moment);
  }
}

/** An internal error before the irreversible call. */
function afterBug(target: Target, moment: Moment): Transition {
  const attempts = target.attempts + 1;
  const pause = retryPause(attempts, moment.random);
  const reason = say('internal_error');
  const waiting: Target = {
    ...inTrouble(target, { code: 'internal_error', reason }, moment),
    state: 'waiting',
    attempts,
    dueAt: moment.now + pause,
  };
  if (moment.now + pause > deadlineOf(target)) return fail(waiting, 'internal_error', say('internal_error_repeatedly'));
  return { target: waiting, entries: [entry('retry', say('retry_in', { reason, pauseMs: pause }))] };
}
