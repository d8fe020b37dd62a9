/** Starts of the embedded PostgreSQL in one folder, one after the other: a service and commands may begin together. */
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { exists } from './old-server.ts';

/** No start takes so long, in ms: whoever said then that it starts is gone, whatever process has its number now. */
const VOID_AFTER_MS = 240_000;

/** Runs when nobody else is starting a server in the folder. A process that died in the middle holds nobody up. */
export async function inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const turn = join(folder, 'starting');
  const mine = `${turn}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(mine, `${process.pid}`, { mode: 0o600 });
  try {
    while (!(await took(mine, turn))) {
      await clearDead(turn);
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

/** A second name for the file, which appears with its text in it, or not at all. */
async function took(mine: string, turn: string): Promise<boolean> {
  try {
    await link(mine, turn);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function clearDead(turn: string): Promise<void> {
  const holder = await readFile(turn, 'utf8').catch(() => null);
  const since = await stat(turn).catch(() => null);
  if (holder === null || since === null) return;
  if (exists(Number(holder)) && Date.now() - since.mtimeMs < VOID_AFTER_MS) return;
  // Between the look and now a living one may have taken it: then it is given back.
  const grave = `${turn}.of-${holder}-by-${process.pid}`;
  await rename(turn, grave).catch(() => {});
  if ((await readFile(grave, 'utf8').catch(() => holder)) !== holder) await link(grave, turn).catch(() => {});
  await rm(grave, { force: true });
}
