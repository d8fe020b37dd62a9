/** Runs the service's own maintenance, as if a day had passed since the last upload. */
import type { Database } from '../packages/server/src/db/database.ts';
import { createFileLoop } from '../packages/server/src/maintenance/files.ts';
import { runSweep, SWEEPS } from '../packages/server/src/maintenance/sweeps.ts';
import { createDiskStorage } from '../packages/server/src/storage/disk.ts';

/** Longer than the age at which sweeps remove what a crash left, in ms. */
const LATER_MS = 25 * 3_600_000;

/**
 * Runs every sweep and empties the queue of file removals, at a time when everything that crashes left is old enough.
 * What is left then stays forever. No process of the service may be running.
 * @param skip advances the database's clock by this time in ms
 * @returns what each sweep removed, and the errors of sweeps and removals
 */
export async function runMaintenance(
  { db, skip }: { db: Database; skip(ms: number): Promise<void> },
  { storageFolder, retentionDays }: { storageFolder: string; retentionDays: number },
): Promise<{ swept: string[]; errors: unknown[] }> {
  await skip(LATER_MS);
  const storage = await createDiskStorage(storageFolder, () => Date.now() + LATER_MS);
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const swept: string[] = [];
  const onSwept = (name: string, count: number) => swept.push(`${count} ${name}`);
  const deps = { db, storage, retentionDays, onError, onSwept };
  for (const sweep of SWEEPS) await runSweep(deps, sweep).catch(onError);
  while ((await createFileLoop(deps).runOnce()) > 0);
  return { swept, errors };
}
