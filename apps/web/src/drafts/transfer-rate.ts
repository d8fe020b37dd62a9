/** The speed of a transfer, from its recent progress. Pure. */

export interface Sample {
  /** Monotonic, in ms. */
  at: number;
  /** Bytes in total. */
  sent: number;
}

/** Older samples are dropped, so that the speed follows the connection. */
const WINDOW_MS = 10_000;

export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  // If the progress decreases, the measurement starts over.
  const last = samples.at(-1);
  if (last && sample.sent < last.sent) return [sample];
  const recent = samples.filter(({ at }) => sample.at - at <= WINDOW_MS);
  // A slow transfer keeps at least its last two samples.
  return [...(recent.length === 0 && last ? [last] : recent), sample];
}

/** Bytes per second; null while it is not known. */
export function speedOf(samples: readonly Sample[]): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || last.at <= first.at || last.sent <= first.sent) return null;
  return ((last.sent - first.sent) * 1_000) / (last.at - first.at);
}

/** Seconds until the end, rounded up; null while the speed is not known. */
export function secondsLeft(samples: readonly Sample[], total: number): number | null {
  const speed = speedOf(samples);
  const last = samples.at(-1);
  return speed === null || !last ? null : Math.ceil((total - last.sent) / speed);
}

/** Rounded down, so that 100 means all. */
export function percentOf(sent: number, total: number): number {
  return total > 0 ? Math.floor((sent / total) * 100) : 0;
}
