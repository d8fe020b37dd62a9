/** Waits that are no attempt: for something of ours that has to be there, or known, before a target may go on. Pure. */
import { deadlineOf, entry, fail, type Moment } from './decide.ts';
import { MINUTE, SECOND } from './pauses.ts';
import type { Target, Transition } from './target.ts';

const TWIN_PAUSE = MINUTE;
const TWIN =
  'A post with the same words may or may not have appeared on this account; this one waits until that is known.';

/** Another post with the same words is in doubt on this account, and this one would be taken for it. */
export function waitForTwin(target: Target, moment: Moment): Transition {
  const dueAt = moment.now + TWIN_PAUSE;
  const waiting: Target = { ...target, state: 'waiting', dueAt };
  if (dueAt > deadlineOf(target)) return fail(waiting, 'platform_unavailable', `Given up: ${TWIN}`);
  return { target: waiting, entries: target.state === 'waiting' ? [] : [entry('waiting', TWIN)] };
}

/** Pauses between two checks whether the file is there: an eighth of the wait so far, within these. */
const SHORTEST_FILE_PAUSE = 2 * SECOND;
const LONGEST_FILE_PAUSE = 30 * SECOND;

/**
 * The file that the platform takes is being made. A queue of files may be hours long, so the pauses grow.
 * @param orderedAt when the file was ordered, in ms @param why given when it was ordered just now
 */
export function waitForFile(target: Target, orderedAt: number, moment: Moment, why?: string): Transition {
  const pause = Math.min(Math.max(SHORTEST_FILE_PAUSE, (moment.now - orderedAt) / 8), LONGEST_FILE_PAUSE);
  const dueAt = moment.now + pause;
  const waiting: Target = { ...target, state: 'waiting', dueAt };
  if (dueAt > deadlineOf(target))
    return fail(waiting, 'internal_error', 'Given up: the video was not converted in time.');
  return { target: waiting, entries: why ? [entry('rendition', `${CONVERTED} ${why}`)] : [] };
}

/** Begins the line that says why. */
export const CONVERTED = 'The video is converted first.';

/** The video itself goes out after all; what was begun with another file is begun anew. */
export function takeOriginal(target: Target, moment: Moment): Transition {
  return { target: { ...target, renditionId: null, checkpoint: null, dueAt: moment.now }, entries: [] };
}
