/** Waits that do not count as attempts: for a file, or for the outcome of another post. Pure. */

import { MINUTE, SECOND } from '../time.ts';
import { deadlineOf, entry, fail, type Moment } from './decide.ts';
import type { Target, Transition } from './target.ts';

const SAME_TEXT_PAUSE = MINUTE;
const SAME_TEXT =
  'A post with the same words may or may not have appeared on this account; this one waits until that is known.';

/**
 * Another post with the same text has an unknown outcome on this account. Verification could mistake this post for it.
 */
export function waitForSameText(target: Target, moment: Moment): Transition {
  const dueAt = moment.now + SAME_TEXT_PAUSE;
  const waiting: Target = { ...target, state: 'waiting', dueAt };
  if (dueAt > deadlineOf(target)) return fail(waiting, 'platform_unavailable', `Given up: ${SAME_TEXT}`);
  return { target: waiting, entries: target.state === 'waiting' ? [] : [entry('waiting', SAME_TEXT)] };
}

/** Delay between two polls for the file: an eighth of the wait so far, within these limits. */
const MIN_FILE_PAUSE = 2 * SECOND;
const MAX_FILE_PAUSE = 30 * SECOND;

/**
 * The file for the platform is being made. Its queue may take hours, so the delays grow.
 * @param orderedAt when the file was queued, ms since the epoch
 * @param why given when it was queued just now
 */
export function waitForFile(target: Target, orderedAt: number, moment: Moment, why?: string): Transition {
  const pause = Math.min(Math.max(MIN_FILE_PAUSE, (moment.now - orderedAt) / 8), MAX_FILE_PAUSE);
  const dueAt = moment.now + pause;
  const waiting: Target = { ...target, state: 'waiting', dueAt };
  if (dueAt > deadlineOf(target))
    return fail(waiting, 'internal_error', 'Given up: the video was not converted in time.');
  return { target: waiting, entries: why ? [entry('rendition', `${CONVERTED} ${why}`)] : [] };
}

/** First sentence of the timeline line that gives the reason. */
export const CONVERTED = 'The video is converted first.';

/** Sends the original after all. Work started with another file starts over. */
export function takeOriginal(target: Target, moment: Moment): Transition {
  return { target: { ...target, renditionId: null, checkpoint: null, dueAt: moment.now }, entries: [] };
}
