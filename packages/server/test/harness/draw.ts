/**
 * Random sampling of test cases. Of many similar cases, each run executes a different share. REELAY_TEST_FULL=1 runs
 * all of them. REELAY_TEST_SEED repeats a draw; the seed is part of the test names.
 */
import { hash } from 'node:crypto';

export const FULL = process.env.REELAY_TEST_FULL === '1';
/** Made by `vitest.config.ts` where it is not given. */
export const SEED = Number(process.env.REELAY_TEST_SEED);

/** Sampling rates: one in this many cases of each kind runs in `npm test`; REELAY_TEST_FULL=1 runs all. */
export const ONE_IN = {
  /** Faults at each request of a publish. */
  faults: 12,
  /** Platforms that get an upload in parts, and platforms whose clock differs. */
  platforms: 3,
  /** Rows of a connector's table of lost and odd responses. */
  tables: 10,
  /** Platforms that a whole post is made on. */
  posted: 3,
  /** Sad ends of a test run, leftovers of a crash. */
  ends: 3,
  /** Moves of a publish behind which a worker dies, and answers to its last request. */
  moves: 4,
  /** Requests of an upload in parts at which a worker dies. */
  parts: 3,
  /** Requests of a publish at which a worker dies between two posts of the same text. */
  texts: 4,
  /** Requests of a publish on another variant of the platform. */
  variants: 4,
  /** Platforms whose worker processes are killed or frozen. */
  killed: 4,
  /** Worker processes of those platforms that are killed or frozen. */
  processes: 12,
  /** Those platforms on which a worker is frozen just before it sends. */
  frozen: 3,
  /** Kinds of video that are converted. */
  conversions: 6,
  /** Containers, moments and lengths of a video that ffmpeg is started for. */
  media: 3,
} as const;

/**
 * Returns one in `oneIn` of the cases, at least one, in their order.
 * @param salt makes draws independent of each other
 */
export function drawn<T>(cases: readonly T[], oneIn: number, salt = ''): readonly T[] {
  if (FULL) return cases;
  const lot = (index: number) => hash('sha256', `${SEED} ${salt} ${index}`);
  const lots = cases.map((_, index) => lot(index)).sort();
  const last = lots[Math.ceil(cases.length / oneIn) - 1] ?? '';
  return cases.filter((_, index) => lot(index) <= last);
}

/** Appends the seed to a title. */
export function seeded(title: string): string {
  return FULL ? title : `${title}, seed ${SEED}`;
}
