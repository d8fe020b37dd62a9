/**
 * Writes decisions together: while two statements are under way, further decisions wait, and the next statement writes
 * several of them in one commit. Otherwise a decision is written at once.
 */
import { type Database, isAway } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import {
  MAX_WRITES,
  type TargetWrite,
  type WriteResult,
  writeTarget,
  writeTargets,
  writeUnfollowed,
} from './target-store.ts';

export interface TargetWrites {
  /**
   * Writes a decision, with its placement if it is `posted`.
   * @returns anything but `written`: nothing was written
   */
  write(given: TargetWrite): Promise<WriteResult>;
}

/** Statements at a time. */
const MAX_UNDER_WAY = 2;
/** A statement that takes longer, in ms, waits for something and does not delay the next ones. */
const SLOW_MS = 100;

interface Waiting {
  given: TargetWrite;
  resolve: (result: WriteResult) => void;
  reject: (error: unknown) => void;
}

/** @param isAborted whether nothing may be written any more */
export function createTargetWrites(db: Database, sealer: Sealer, isAborted: () => boolean): TargetWrites {
  const waiting: Waiting[] = [];
  /** Lanes of the decisions that are being written, by statement. */
  const underWay = new Set<readonly string[]>();

  const writeAlone = async ({ task, transition, leaseMs }: TargetWrite): Promise<WriteResult> => {
    if (transition.target.state === 'posted') return writeUnfollowed(db, sealer, task, transition);
    return (await writeTarget(db, sealer, task, transition, leaseMs)) ? 'written' : 'stale';
  };
  const writeOne = ({ given, resolve, reject }: Waiting) => writeAlone(given).then(resolve, reject);

  const writeAll = async (batch: readonly Waiting[]) => {
    try {
      const results = await writeTargets(
        db,
        sealer,
        batch.map(({ given }) => given),
      );
      for (const entry of batch) {
        const result = results.get(entry.given.task.target.id) ?? 'stale';
        if (result === 'locked') void writeOne(entry);
        else entry.resolve(result);
      }
    } catch (error) {
      if (isAway(error)) for (const { reject } of batch) reject(error);
      // The statement failed because of one of them, and nothing was written.
      else await Promise.all(batch.map(writeOne));
    }
  };

  const next = () => {
    if (isAborted()) for (const { resolve } of waiting.splice(0)) resolve('stale');
    while (underWay.size < MAX_UNDER_WAY) {
      const batch = takeBatch(waiting, new Set([...underWay].flat()));
      const [only] = batch;
      if (!only) return;
      const lanes = batch.map(laneOf);
      underWay.add(lanes);
      const goOn = () => {
        underWay.delete(lanes);
        next();
      };
      const timer = setTimeout(goOn, SLOW_MS);
      void (batch.length === 1 ? writeOne(only) : writeAll(batch)).finally(() => {
        clearTimeout(timer);
        goOn();
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

const laneOf = ({ given }: Waiting) => given.task.target.identityId;

/** Removes the longest waiting decisions, one of each lane. @param busy lanes of which none is taken */
function takeBatch(waiting: Waiting[], busy: Set<string>): Waiting[] {
  const batch: Waiting[] = [];
  for (let index = 0; index < waiting.length && batch.length < MAX_WRITES; ) {
    const entry = waiting[index] as Waiting;
    if (busy.has(laneOf(entry))) index++;
    else {
      busy.add(laneOf(entry));
      batch.push(entry);
      waiting.splice(index, 1);
    }
  }
  return batch;
}
