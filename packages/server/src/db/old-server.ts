/** Detects an earlier PostgreSQL server in the data folder, and stops it if its owner is dead. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Thrown when a live process has a server in the folder. */
export const IN_USE = 'Another Reelay is using this data folder. Stop it first, or set DATA_DIR to another folder.';

/** Records the owner of the server, for `clearOldServer`. */
export async function noteOwner(folder: string): Promise<void> {
  await writeFile(join(folder, 'owner'), `${process.pid}\n${(await startOf(process.pid)) ?? ''}`, { mode: 0o600 });
}

/**
 * When an orphan gets which signal, as a number of polls. The kernel has already signaled a server whose parent died.
 */
const FAST_STOP_AT = 5;
const IMMEDIATE_STOP_AT = 30;
const KILL_AT = 80;
const GIVE_UP_AT = 300;
/** Number of polls to wait for a server with a live owner, because it may be shutting down. */
const OWNER_CHECKS = 10;

/**
 * Removes what an earlier server left. PostgreSQL refuses to start while a process of the earlier server is attached to
 * its memory. It also refuses if `postmaster.pid` names a live process of the same user, even with a pid reused after a
 * reboot.
 * An orphan gets a fast shutdown, then an immediate one, because a fast one during crash recovery can hang forever.
 * Then all its processes are killed. The next start recovers from the log, and nothing acknowledged is lost.
 * @param lookMs polling interval in ms
 * @throws Error when the process that started that server is alive
 */
export async function clearOldServer(folder: string, data: string, lookMs = 100): Promise<void> {
  const file = join(data, 'postmaster.pid');
  const pid = await numberIn(file);
  if (!pid) return;
  const isOrphan = !(await ownerLives(folder));
  let processes: number[] = [];
  for (let attempt = 0; ; attempt++) {
    // Children start children. All processes are listed again when the known ones are gone, and before they are killed.
    processes = attempt >= KILL_AT ? [] : await filterAsync(processes, (each) => worksIn(each, data));
    if (processes.length === 0) processes = await processesOf(pid, data);
    if (processes.length === 0) break;
    if (!isOrphan && attempt === OWNER_CHECKS) throw new Error(IN_USE);
    if (attempt === GIVE_UP_AT)
      throw new Error(`An earlier PostgreSQL server in ${data} cannot be stopped. End the processes ${processes}.`);
    if (isOrphan) {
      // The first process, while alive, stops the others. If it were killed after them, it would start recovery.
      const first = processes.filter((each) => each === pid);
      const toStop = first.length > 0 ? first : processes;
      if (attempt === FAST_STOP_AT) signal(toStop, 'SIGINT');
      if (attempt === IMMEDIATE_STOP_AT) signal(toStop, 'SIGQUIT');
      if (attempt >= KILL_AT) signal([...first, ...processes], 'SIGKILL');
    }
    await pause(lookMs);
  }
  await rm(file, { force: true });
}

/** Kills every process of a server, including children. @param pid its first process */
export async function killServer(pid: number, data: string): Promise<void> {
  const processes = await processesOf(pid, data);
  signal([...processes.filter((each) => each === pid), ...processes], 'SIGKILL');
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended.
    }
  }
}

/** The recorded process may be gone and its pid reused. */
async function ownerLives(folder: string): Promise<boolean> {
  const file = join(folder, 'owner');
  const owner = await numberIn(file);
  if (!owner || !exists(owner)) return false;
  const noted = (await readFile(file, 'utf8').catch(() => '')).split('\n')[1];
  const start = await startOf(owner);
  return !noted || start === null || noted === start;
}

/** Start of a process in clock ticks since boot; null without /proc. */
async function startOf(pid: number): Promise<string | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the program name in parentheses and may itself contain spaces and parentheses.
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

/** The pid on the first line of a file, or null. */
async function numberIn(path: string): Promise<number | null> {
  const number = Number((await readFile(path, 'utf8').catch(() => '')).split('\n')[0]);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

/**
 * The live processes of a server: all that work in its folder, because the children of a killed server can outlive it.
 * Without /proc, only the first process.
 */
async function processesOf(pid: number, data: string): Promise<number[]> {
  if (!existsSync('/proc/self/comm')) {
    const shown = await run('ps', ['-o', 'comm=', '-p', `${pid}`]).catch(() => null);
    return shown?.stdout.includes('postgres') ? [pid] : [];
  }
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return filterAsync(names.map(Number), (each) => worksIn(each, data));
}

async function filterAsync<T>(values: readonly T[], isWanted: (value: T) => Promise<boolean>): Promise<T[]> {
  const wanted = await Promise.all(values.map(isWanted));
  return values.filter((_, index) => wanted[index]);
}

/**
 * Returns whether a process is PostgreSQL with this folder. A process that has ended but was not reaped has no folder.
 */
async function worksIn(pid: number, data: string): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (name.trim() !== 'postgres') return false;
  const [theirs, ours] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => null), stat(data).catch(() => null)]);
  return theirs !== null && ours !== null && theirs.ino === ours.ino && theirs.dev === ours.dev;
}

/** Returns whether a process with this pid exists. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
