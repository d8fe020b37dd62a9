/** The transaction that records a target as posted and adds the firings of its rules. */
import { type Database, sqlState } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { addFirings } from '../lineage/firings.ts';
import { claimPlacement } from '../lineage/placement.ts';
import { reclaimPost } from '../lineage/reclaim.ts';
import { storedTexts } from './stored-texts.ts';
import type { Transition } from './target.ts';
import { type WriteResult, writeTarget } from './target-store.ts';
import type { Task } from './task.ts';

type Written = 'written' | 'stale' | 'taken';

/** What `posted` is written with. */
interface PostedWrite {
  db: Database;
  sealer: Sealer;
  task: Task;
  transition: Transition;
  /** Writes the same unless rules follow the account. */
  writeUnfollowed: () => Promise<WriteResult>;
}

/**
 * Writes `posted`, the placement, and one firing for each rule that was active when the content was published. The
 * placement claims the remote id. If another post of this identity has it, the id is not ours, unless a check found our
 * post before its send was proven and it was taken for one made elsewhere.
 * @returns `stale` when nothing was written because the lane was lost, `taken` when the remote id belongs to another
 * post
 */
export async function writePosted(given: PostedWrite): Promise<Written> {
  const result = await writeOnce(given);
  const { remoteId } = storedTexts(given.transition.target);
  const isReclaimed =
    result === 'taken' && remoteId !== null && (await reclaimPost(given.db, given.task.target.id, remoteId));
  return isReclaimed ? writeOnce(given) : result;
}

async function writeOnce({ db, sealer, task, transition, writeUnfollowed }: PostedWrite): Promise<Written> {
  const atOnce = await writeUnfollowed().catch((error) => {
    // Another transaction claimed the remote id while this statement waited for the lane. A new statement sees that
    // claim.
    if (sqlState(error) === UNIQUE_VIOLATION) return 'followed' as const;
    throw error;
  });
  if (atOnce !== 'followed') return atOnce;
  let result: Written = 'stale';
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
