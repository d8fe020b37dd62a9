/** The transaction that records a target as failed and lets rules decide again that left its account to it. */
import type { Database } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { reopenAfterFailure } from '../lineage/firings.ts';
import { placeRemoved } from '../lineage/placement.ts';
import type { Transition } from './target.ts';
import { writeTarget } from './target-store.ts';
import type { Task } from './task.ts';

/** Writes `failed`. @returns false when nothing was written because the lane was lost or the target has changed */
export async function writeFailed(
  db: Database,
  sealer: Sealer,
  task: Task,
  transition: Transition,
  leaseMs: number | null,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isWritten = await writeTarget(tx, sealer, task, transition, leaseMs);
    if (isWritten && transition.wasPublished) await placeRemoved(tx, task.target.id);
    else if (isWritten) await reopenAfterFailure(tx, [task.target.id]);
    return isWritten;
  });
}
