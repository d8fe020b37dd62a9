/** How close a caption is to its limit. Pure. */
import type { CaptionCount } from '@reelay/sdk';

export type CaptionLevel = 'fits' | 'near' | 'rejected';

const NEAR = 0.9;

export function levelOf({ length, limit, problem }: Pick<CaptionCount, 'length' | 'limit' | 'problem'>): CaptionLevel {
  if (problem !== null || length > limit) return 'rejected';
  return length >= NEAR * limit ? 'near' : 'fits';
}

/** Sorts captions: rejected ones first, then by the used share of the limit. The sort is stable. */
export function byUrgency(one: CaptionCount, other: CaptionCount): number {
  return urgencyOf(other) - urgencyOf(one);
}

function urgencyOf(count: CaptionCount): number {
  const level = levelOf(count);
  if (level === 'fits') return 0;
  return level === 'rejected' ? 2 : 1;
}
