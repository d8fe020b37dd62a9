/**
 * Writes decisions together: while one write is under way, those of other lanes wait, and the next statement writes all of
 * them in one commit. A decision that finds nothing under way is written at once.
 */
import { type Database, isAway } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { type TargetWrite, writeTarget, writeTargets } from './target-store.ts';

export interface TargetWrites {
  /**
   * Writes a decision to a state other than `posted`.
   * @returns false when the lane was lost or the target has changed: nothing was written
   */
  write(given: TargetWrite): Promise<boolean>;
}

/** Decisions of one statement. */
const AT_ONCE = 16;
/** Statements at a time. */
const MAX_UNDER_WAY = 2;

interface Waiting {
  given: TargetWrite;
  resolve: (written: boolean) => void;
  reject: (error: unknown) => void;
}

/** @param isAborted whether nothing may be written any more */
export function createTargetWrites(db: Database, sealer: Sealer, isAborted: () => boolean): TargetWrites {
  const waiting: Waiting[] = [];
  let underWay = 0;

  const writeOne = ({ given: { task, transition, leaseMs }, resolve, reject }: Waiting) =>
    writeTarget(db, sealer, task, transition, leaseMs).then(resolve, reject);

  const writeAll = async (batch: readonly Waiting[]) => {
    try {
      const written = await writeTargets(
        db,
        sealer,
        batch.map(({ given }) => given),
      );
      for (const { given, resolve } of batch) resolve(written.has(given.task.target.id));
    } catch (error) {
      if (isAway(error)) for (const { reject } of batch) reject(error);
      // The statement failed because of one of them, and nothing was written.
      else await Promise.all(batch.map(writeOne));
    }
  };

  const next = () => {
    if (isAborted()) for (const { resolve } of waiting.splice(0)) resolve(false);
    while (underWay < MAX_UNDER_WAY && waiting.length > 0) {
      const batch = takeBatch(waiting);
      const [only] = batch;
      underWay++;
      void (only && batch.length === 1 ? writeOne(only) : writeAll(batch)).finally(() => {
        underWay--;
        next();
      });
    }
  };
  return {
    write: (given) =>
      new Promise((resolve, reject) => {
        waiting.push({ given, resolve, reject });
        next();
      }),
  };
}

/** Removes the longest waiting decisions, at most one of each lane. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  const lanes = new Set<string>();
  const batch: Waiting[] = [];
  for (let index = 0; index < waiting.length && batch.length < AT_ONCE; ) {
    const entry = waiting[index] as Waiting;
    const { identityId } = entry.given.task.target;
    if (lanes.has(identityId)) index++;
    else {
      lanes.add(identityId);
      batch.push(entry);
      waiting.splice(index, 1);
    }
  }
  return batch;
}
