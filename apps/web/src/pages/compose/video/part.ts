/** The part of a video that is posted, in seconds. Pure. */
import type { Draft } from '../../../drafts/draft.ts';
import { STEP, toStep } from './positions.ts';
import { VIDEO_LIMITS } from './video-check.ts';

const { minSeconds, maxSeconds } = VIDEO_LIMITS;

export interface Part {
  start: number;
  end: number;
}

type Trimmed = Pick<Draft, 'trimStart' | 'trimEnd'>;

/** @param seconds length of the video; a stored part may be of another video */
export function partOf({ trimStart, trimEnd }: Trimmed, seconds: number): Part {
  const end = Math.min(trimEnd ?? seconds, seconds);
  return { start: Math.min(trimStart ?? 0, end), end };
}

/** Whether a part is posted, not the whole video. */
export const isTrimmed = ({ trimStart, trimEnd }: Trimmed): boolean => trimStart !== null || trimEnd !== null;

/** Whether what is posted is neither too short nor too long. */
export function isPartAllowed(draft: Trimmed, seconds: number): boolean {
  const { start, end } = partOf(draft, seconds);
  // Positions are rounded to steps.
  return end - start > minSeconds - STEP / 2 && end - start < maxSeconds + STEP / 2;
}

/** The part that is proposed for a video that is too long. */
export const firstPart = (seconds: number): Part => ({ start: 0, end: Math.min(seconds, maxSeconds) });

/** The part after its start was moved. Its end moves along where the length would not be allowed. */
export function moveStart({ end }: Part, to: number, seconds: number): Part {
  const start = toStep(Math.min(Math.max(0, to), Math.max(0, seconds - minSeconds)));
  return { start, end: toStep(Math.min(seconds, start + maxSeconds, Math.max(end, start + minSeconds))) };
}

/** As {@link moveStart}. */
export function moveEnd({ start }: Part, to: number, seconds: number): Part {
  const end = toStep(Math.max(Math.min(seconds, to), Math.min(seconds, minSeconds)));
  return { start: toStep(Math.max(0, end - maxSeconds, Math.min(start, end - minSeconds))), end };
}

/**
 * The changes of a draft that make it post this part. The cover stays the same picture, if it is in the part.
 * @param seconds length of the video
 */
export function withPart(draft: Pick<Draft, 'previewTime'> & Trimmed, { start, end }: Part, seconds: number) {
  const cover = draft.previewTime + partOf(draft, seconds).start;
  return {
    trimStart: start > 0 ? toStep(start) : null,
    trimEnd: end < seconds - STEP / 2 ? toStep(end) : null,
    previewTime: toStep(Math.max(0, Math.min(cover - start, end - start - STEP))),
  };
}
