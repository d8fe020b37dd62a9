/**
 * A lock file that serializes starts of the embedded PostgreSQL in one folder. A service and commands may start at the
 * same time.
 */
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { exists } from './old-server.ts';

/** Longer than any start, in ms. An older lock is stale, even if a process has its pid now. */
const VOID_AFTER_MS = 240_000;

/** Runs when no other process is starting a server in the folder. A lock of a dead process is removed. */
export async function inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const turn = join(folder, 'starting');
  const mine = `${turn}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(mine, `${process.pid}`, { mode: 0o600 });
  try {
    while (!(await took(mine, turn))) {
      await clearDead(turn, mine);
      await pause(50);
    }
  } finally {
    await rm(mine, { force: true });
  }
  try {
    return await work();
  } finally {
    await rm(turn, { force: true });
  }
}

/** Creates a hard link to the file, so that the lock appears with its content or not at all. */
async function took(mine: string, turn: string): Promise<boolean> {
  try {
    await link(mine, turn);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param mine written again, to read the clock of the file system. It may differ from ours, for example on NFS. */
async function clearDead(turn: string, mine: string): Promise<void> {
  const holder = await readFile(turn, 'utf8').catch(() => null);
  const since = await stat(turn).catch(() => null);
  if (holder === null || since === null) return;
  await writeFile(mine, `${process.pid}`);
  const now = await stat(mine);
  if (exists(Number(holder)) && now.mtimeMs - since.mtimeMs < VOID_AFTER_MS) return;
  // A live process may have taken the lock since it was read. Then it is restored.
  const grave = `${turn}.of-${holder}-by-${process.pid}`;
  await rename(turn, grave).catch(() => {});
  if ((await readFile(grave, 'utf8').catch(() => holder)) !== holder) await link(grave, turn).catch(() => {});
  await rm(grave, { force: true });
}
