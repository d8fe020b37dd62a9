/** Computes usage and rates. Pure. */

/** Share of a limit that is used, 0 to 1. */
export function usedShare({ value, used }: { value: number; used: number }): number {
  if (value <= 0) return used > 0 ? 1 : 0;
  return Math.min(1, Math.max(0, used / value));
}

export interface Bar {
  at: string;
  posted: number;
  failed: number;
  /** Heights of the bars, relative to the highest one. */
  postedShare: number;
  failedShare: number;
}

/** Scales intervals to the highest one. */
export function barsOf(intervals: readonly { at: string; posted: number; failed: number }[]): Bar[] {
  const highest = Math.max(1, ...intervals.map(({ posted, failed }) => posted + failed));
  return intervals.map((each) => ({
    ...each,
    postedShare: each.posted / highest,
    failedShare: each.failed / highest,
  }));
}
