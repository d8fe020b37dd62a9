/**
 * The project's quota: a separate bucket for uploads, units for everything else. Both reset at midnight Pacific Time.
 */
import type { SimulatorOptions } from '../../contract.ts';

const A_DAY = { uploads: 100, units: 10_000 };
export type Bucket = keyof typeof A_DAY;

/** Spends the cost of a call; false if today's quota does not suffice. */
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
