/** Waits that do not count as attempts: for a file, the outcome of another post, or the end of quiet hours. Pure. */
import { MINUTE, SECOND } from '../lib/time.ts';
import type { Message } from '../messages/message.ts';
import { say as sayRule } from '../messages/rules.ts';
import { say } from '../messages/timeline.ts';
import type { Target, Transition } from './target.ts';
import { deadlineAfterWait, deadlineOf, entry, fail, type Moment } from './transitions.ts';

const SAME_TEXT_PAUSE = MINUTE;

/**
 * Another post with the same text has an unknown outcome on this account. Verification could mistake this post for it.
 */
export function waitForSameText(target: Target, moment: Moment): Transition {
  const dueAt = moment.now + SAME_TEXT_PAUSE;
  const waiting: Target = { ...target, state: 'waiting', dueAt };
  if (dueAt > deadlineOf(target))
    return fail(waiting, 'platform_unavailable', say('gave_up', { reason: say('same_text_unverified') }));
  return {
    target: waiting,
    entries: target.state === 'waiting' ? [] : [entry('waiting', say('same_text_unverified'))],
  };
}

/**
 * A repost waits until the quiet hours of its rule end. That moves its deadline. One that has not started can still be
 * removed.
 * @param until when they end, in ms since the epoch
 */
export function waitForQuietHours(target: Target, until: number): Transition {
  const deadlineAt = deadlineAfterWait(target, until);
  const state = target.state === 'scheduled' ? 'scheduled' : 'waiting';
  const waiting: Target = { ...target, state, dueAt: until, deadlineAt };
  const message = sayRule('quiet_hours', { untilAt: until });
  if (until > deadlineAt) return fail(waiting, 'platform_unavailable', say('gave_up', { reason: message }));
  return { target: waiting, entries: [entry('waiting', message)] };
}

/** Delay between two polls for the file: an eighth of the wait so far, within these limits. */
const MIN_FILE_PAUSE = 2 * SECOND;
const MAX_FILE_PAUSE = 30 * SECOND;

/**
 * The file for the platform is being made. Its queue may take hours, so the delays grow.
 * @param orderedAt when the file was queued, ms since the epoch
 * @param why given when it was queued just now
 */
export function waitForFile(target: Target, orderedAt: number, moment: Moment, why?: Message): Transition {
  const pause = Math.min(Math.max(MIN_FILE_PAUSE, (moment.now - orderedAt) / 8), MAX_FILE_PAUSE);
  const dueAt = moment.now + pause;
  const waiting: Target = { ...target, state: 'waiting', dueAt };
  if (dueAt > deadlineOf(target)) return fail(waiting, 'internal_error', say('file_late'));
  return { target: waiting, entries: why ? [entry('rendition', say('file_converting', { reason: why }))] : [] };
}

/** The platform accepts smaller files than expected. The next step chooses the file by the limit that is now stored. */
export function startOverWithin(target: Target, note: Message, moment: Moment): Transition {
  return {
    target: { ...target, state: 'waiting', checkpoint: null, dueAt: moment.now },
    entries: [entry('step', note)],
  };
}

/** Sends the original instead. Work started with another file starts over. */
export function takeOriginal(target: Target, moment: Moment): Transition {
  return { target: { ...target, renditionId: null, checkpoint: null, dueAt: moment.now }, entries: [] };
}
