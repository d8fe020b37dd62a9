/** The transaction that records a target as posted and adds the firings of its rules. */
import { type Database, sqlState } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { addFirings } from '../lineage/firings.ts';
import { claimPlacement } from '../lineage/placement.ts';
import type { Transition } from './target.ts';
import { writeTarget, writeUnfollowed } from './target-store.ts';
import type { Task } from './task.ts';

/**
 * Writes `posted`, the placement, and one firing for each rule that was active when the content was published. The
 * placement claims the remote id. If another post of this identity has it, the id is not ours.
 * @returns `stale` when nothing was written because the lane was lost, `taken` when the remote id belongs to another
 * post
 */
export async function writePosted(
  db: Database,
  sealer: Sealer,
  task: Task,
  transition: Transition,
): Promise<'written' | 'stale' | 'taken'> {
  const atOnce = await writeUnfollowed(db, sealer, task, transition).catch((error) => {
    // Another transaction claimed the remote id while this statement waited for the lane. A new statement sees that
    // claim.
    if (sqlState(error) === UNIQUE_VIOLATION) return 'followed' as const;
    throw error;
  });
  if (atOnce !== 'followed') return atOnce;
  let result: 'written' | 'stale' | 'taken' = 'stale';
  await db
    .transaction(async (tx) => {
      result = 'stale';
      if (!(await writeTarget(tx, sealer, task, transition))) return;
      if (!(await claimPlacement(tx, task.target.id))) {
        result = 'taken';
        throw new RemoteIdTaken();
      }
      await addFirings(tx, task.target.id);
      result = 'written';
    })
    .catch((error) => {
      if (!(error instanceof RemoteIdTaken)) throw error;
    });
  return result;
}

const UNIQUE_VIOLATION = '23505';

class RemoteIdTaken extends Error {}
