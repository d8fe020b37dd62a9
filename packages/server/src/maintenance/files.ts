/** Removes queued files from the storage, then from the queue. */
import { HOUR, MINUTE } from '../lib/time.ts';
import { type Claim, type DueRows, dueRows, runOrRetry } from '../queue/claim.ts';
import { createDueLoop, type DueLoop } from '../queue/loop.ts';
import type { MaintenanceDeps } from './types.ts';

interface FileRow {
  storage_key: string;
}

/** Index: file_removal_due. */
const dueFiles: DueRows<FileRow> = dueRows<FileRow>('file_removal', { key: 'storage_key', user: null });

/** Longer than removing one file takes, in ms. */
const LEASE_MS = MINUTE;
const MAX_PAUSE_MS = HOUR;

/** Removes one file permanently. Succeeds also if the file does not exist. */
export async function removeFile({ db, storage }: MaintenanceDeps, claim: Claim<FileRow>): Promise<void> {
  await storage.remove(claim.key);
  await dueFiles.remove(db, claim);
}

/** Creates the loop that removes files. It is not started yet. */
export function createFileLoop(deps: MaintenanceDeps): DueLoop {
  const { db, onError } = deps;
  return createDueLoop<Claim<FileRow>>({
    claim: (limit) => dueFiles.claim(db, { limit, leaseMs: LEASE_MS }),
    run: (claim) =>
      runOrRetry(db, dueFiles, claim, { run: () => removeFile(deps, claim), onError, maxPauseMs: MAX_PAUSE_MS }),
    concurrency: 4,
    withinMs: LEASE_MS,
    onError,
    everyMs: 2_000,
  });
}
