/** The part of a video that is posted, in seconds. Pure. */
import type { Draft } from '../../../drafts/draft.ts';
import { VIDEO_LIMITS } from './video-check.ts';

const { minSeconds, maxSeconds } = VIDEO_LIMITS;

export interface Part {
  start: number;
  end: number;
}

/** Step of the start and the end. */
export const PART_STEP = 0.1;

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
  // The fields have tenths.
  return end - start > minSeconds - PART_STEP / 2 && end - start < maxSeconds + PART_STEP / 2;
}

/** The part that is proposed for a video that is too long. */
export const firstPart = (seconds: number): Part => ({ start: 0, end: Math.min(seconds, VIDEO_LIMITS.maxSeconds) });

/** The part after its start was moved. Its end moves along where the length would not be allowed. */
export function moveStart({ end }: Part, to: number, seconds: number): Part {
  const start = tenths(Math.min(Math.max(0, to), Math.max(0, seconds - minSeconds)));
  return { start, end: tenths(Math.min(seconds, start + maxSeconds, Math.max(end, start + minSeconds))) };
}

/** As {@link moveStart}. */
export function moveEnd({ start }: Part, to: number, seconds: number): Part {
  const end = tenths(Math.max(Math.min(seconds, to), Math.min(seconds, minSeconds)));
  return { start: tenths(Math.max(0, end - maxSeconds, Math.min(start, end - minSeconds))), end };
}

/**
 * The changes of a draft that make it post this part. The cover stays the same picture, if it is in the part.
 * @param seconds length of the video
 */
export function withPart(draft: Pick<Draft, 'previewTime'> & Trimmed, { start, end }: Part, seconds: number) {
  const cover = draft.previewTime + partOf(draft, seconds).start;
  return {
    trimStart: start > 0 ? tenths(start) : null,
    trimEnd: end < seconds - PART_STEP / 2 ? tenths(end) : null,
    previewTime: tenths(Math.max(0, Math.min(cover - start, end - start - PART_STEP))),
  };
}

const tenths = (seconds: number) => Math.round(seconds * 10) / 10;
