/** Transitions for targets left in progress by a crash or an internal error: pure functions like those in decide.ts. */
import type { Failure } from '../outbound/platform-error.ts';
import {
  afterBug,
  afterFailedLook,
  afterFailedPoll,
  becomeUnknown,
  entry,
  fail,
  inWords,
  type Moment,
} from './decide.ts';
import { crashPause, MINUTE } from './pauses.ts';
import type { Target, Transition } from './target.ts';

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
      entries: [entry('crash', 'The worker stopped responding during this step. Continuing from the last saved step.')],
    };
  if (pause === undefined && target.state !== 'unknown' && target.state !== 'confirming')
    return fail(counted, 'internal_error', `Workers stopped responding during the same step ${crashes} times.`);
  const wait = pause ?? 30 * MINUTE;
  return {
    target: { ...counted, dueAt: moment.now + wait },
    entries: [
      entry('crash', `Workers stopped responding during this step ${crashes} times. Trying again in ${inWords(wait)}.`),
    ],
  };
}

/** The target is in `committing` without a recorded outcome: the request may have been sent. */
export function afterUnrecordedSend(target: Target, moment: Moment): Transition {
  return becomeUnknown(target, 'The outcome of the request was not recorded. Checking whether it was posted.', moment);
}

/**
 * The checkpoint cannot be decrypted: its key is gone, or this node does not have it. Before a send, the work starts
 * over. After the platform accepted the video, only a verification without the checkpoint can tell the outcome.
 */
export function afterUnreadableCheckpoint(target: Target, moment: Moment): Transition {
  if (target.state === 'confirming')
    return becomeUnknown(target, 'The saved progress cannot be read. Checking whether it was posted.', moment);
  return {
    target: { ...target, checkpoint: null, dueAt: moment.now },
    entries: [entry('restart', 'The saved progress cannot be read. Starting over.')],
  };
}

const INTERNAL: Failure = { kind: 'transient', detail: 'Something went wrong on our side.' };

/** Handles an unexpected error by the target's state. After a send it never returns to a state before the send. */
export function afterInternalError(target: Target, completeWithoutIdMs: number, moment: Moment): Transition {
  switch (target.state) {
    case 'committing':
      return becomeUnknown(target, `${INTERNAL.detail} Checking whether it was posted.`, moment);
    case 'unknown':
      return afterFailedLook(target, INTERNAL, moment);
    case 'confirming':
      return afterFailedPoll(target, INTERNAL, completeWithoutIdMs, moment);
    default:
      return afterBug(target, moment);
  }
}
