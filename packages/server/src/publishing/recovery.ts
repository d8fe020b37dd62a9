/** What a worker does with a target that another one, or it itself, left in the middle: pure functions as in decide.ts. */
import type { Failure } from '../connectors/kit/failure.ts';
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

/** Its holder vanished with it in hand: the crash is counted, and the target put off when it keeps bringing workers down. */
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

/** Found in `committing`: the request may have been sent, and what it came to was not recorded. */
export function afterUnrecordedSend(target: Target, moment: Moment): Transition {
  return becomeUnknown(target, 'The outcome of the request was not recorded. Checking whether it was posted.', moment);
}

/**
 * The checkpoint cannot be opened: its key is gone, or this node does not have it. Before a send the work starts over; once
 * the platform took the video, only a verification without the checkpoint can tell what became of it.
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

/** An error nobody foresaw, by where the target stands: after a send it never leads back to before it. */
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
