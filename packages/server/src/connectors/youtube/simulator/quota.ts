/** The project's quota: uploads in a bucket of their own, everything else in units, both until midnight Pacific. */
import type { SimulatorOptions } from '../../kit/simulator.ts';

const A_DAY = { uploads: 100, units: 10_000 };
export type Bucket = keyof typeof A_DAY;

/** Takes what a call costs; false when there is not so much left today. */
export async function takeQuota(options: SimulatorOptions, bucket: Bucket, cost = 1): Promise<boolean> {
  if (!options.limits) return true;
  let had = false;
  await options.books.change<number>('quota', `${bucket} ${pacificDay(options.now())}`, (used = 0) => {
    had = used + cost <= A_DAY[bucket];
    return had ? used + cost : undefined;
  });
  return had;
}

function pacificDay(now: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(now);
}
