/** Counts the reads that a platform charges for announcements, and ends a stream that used up the day's reads. */
import type { ReadCharge } from '../../connectors/contract.ts';
import type { Database } from '../../db/database.ts';
import { BudgetEmpty } from '../../outbound/platform-error.ts';
import { assertReadsLeft } from '../../publishing/charged-reads.ts';
import { countPlatformReads } from '../../publishing/reads-store.ts';

export interface ChargedReads {
  /** @throws BudgetEmpty if the reads of today (UTC) are used up, or left to users */
  check(): Promise<void>;
  /** Counts reads soon. Never throws. */
  add(count: number): void;
  /** Resolves when all reads are counted, or could not be. */
  settle(): Promise<void>;
}

/** For streams without a charge. */
export const FREE: ChargedReads = { check: async () => {}, add() {}, settle: async () => {} };

export interface ChargedReadsDeps {
  db: Database;
  platform: string;
  charge: ReadCharge;
  /** The operator's settings for the platform. */
  settings: Readonly<Record<string, string>>;
  /** Called when counting used up the day's reads. */
  onUsedUp(error: BudgetEmpty): void;
  onError(error: unknown): void;
}

export function createChargedReads(deps: ChargedReadsDeps): ChargedReads {
  const { db, platform, charge, settings } = deps;
  let uncounted = 0;
  let queue = Promise.resolve();
  const check = () =>
    assertReadsLeft(db, { platform, charge, sandbox: false }, { userId: null, isAsked: false }, settings);
  const count = async () => {
    const reads = uncounted;
    if (reads === 0) return;
    uncounted = 0;
    try {
      await countPlatformReads(db, platform, reads);
    } catch (error) {
      // Counted with the next ones.
      uncounted += reads;
      return deps.onError(error);
    }
    await check().catch((error) => (error instanceof BudgetEmpty ? deps.onUsedUp(error) : deps.onError(error)));
  };
  const settle = () => {
    queue = queue.then(count);
    return queue;
  };
  return {
    check,
    add(reads) {
      if (reads <= 0) return;
      uncounted += reads;
      void settle();
    },
    settle,
  };
}
