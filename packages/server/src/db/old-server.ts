/** An earlier PostgreSQL server in the data folder: whose it is, and how it is stopped when nobody owns it any more. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Said where a living process has a server in the folder. */
export const IN_USE = 'Another Reelay is using this data folder. Stop it first, or set DATA_DIR to another folder.';

/** Notes whose server this is, for `clearOldServer`. */
export async function noteOwner(folder: string): Promise<void> {
  await writeFile(join(folder, 'owner'), `${process.pid}\n${(await startOf(process.pid)) ?? ''}`, { mode: 0o600 });
}

/** When an orphan gets which signal, in looks. A server whose parent died has been told to stop by the kernel before. */
const FAST_STOP_AT = 5;
const IMMEDIATE_STOP_AT = 30;
const KILL_AT = 80;
const GIVE_UP_AT = 300;
/** How long a server with a living owner may take to end, in looks: it may be stopping just now. */
const OWNED_LOOKS = 10;

/**
 * Makes way where an earlier server left something. PostgreSQL refuses to start when `postmaster.pid` names a living
 * process of the same user, even one that got the number after a reboot, and while any process of the earlier server is
 * attached to its memory. An orphan is told to stop, then to stop immediately (a fast stop during crash recovery can hang
 * forever), then all its processes are killed. The next start recovers from the log; nothing acknowledged is lost.
 * @param lookMs time between two looks, in ms
 * @throws Error when the process that started that server lives
 */
export async function clearOldServer(folder: string, data: string, lookMs = 100): Promise<void> {
  const file = join(data, 'postmaster.pid');
  const pid = await numberIn(file);
  if (!pid) return;
  const isOrphan = !(await ownerLives(folder));
  let processes: number[] = [];
  for (let look = 0; ; look++) {
    // All are searched again when those known are gone, and before they are killed: children start children.
    processes = look >= KILL_AT ? [] : await filterAsync(processes, (each) => worksIn(each, data));
    if (processes.length === 0) processes = await processesOf(pid, data);
    if (processes.length === 0) break;
    if (!isOrphan && look === OWNED_LOOKS) throw new Error(IN_USE);
    if (look === GIVE_UP_AT)
      throw new Error(`An earlier PostgreSQL server in ${data} cannot be stopped: end the processes ${processes}.`);
    if (isOrphan) {
      // The first process, as long as it is there, stops the others; killed after them, it would start recovery.
      const first = processes.filter((each) => each === pid);
      const toStop = first.length > 0 ? first : processes;
      if (look === FAST_STOP_AT) signal(toStop, 'SIGINT');
      if (look === IMMEDIATE_STOP_AT) signal(toStop, 'SIGQUIT');
      if (look >= KILL_AT) signal([...first, ...processes], 'SIGKILL');
    }
    await pause(lookMs);
  }
  await rm(file, { force: true });
}

/** Kills every process of a server, children included. @param pid its first process */
export async function killServer(pid: number, data: string): Promise<void> {
  const processes = await processesOf(pid, data);
  signal([...processes.filter((each) => each === pid), ...processes], 'SIGKILL');
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended.
    }
  }
}

/** The process that noted itself may be gone, and its number another's by now. */
async function ownerLives(folder: string): Promise<boolean> {
  const file = join(folder, 'owner');
  const owner = await numberIn(file);
  if (!owner || !exists(owner)) return false;
  const noted = (await readFile(file, 'utf8').catch(() => '')).split('\n')[1];
  const start = await startOf(owner);
  return !noted || start === null || noted === start;
}

/** When a process was started, in clock ticks since boot; null where there is no /proc. */
async function startOf(pid: number): Promise<string | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the program's name in brackets and may itself hold spaces and brackets.
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

/** The process number on the first line of a file, or null. */
async function numberIn(path: string): Promise<number | null> {
  const number = Number((await readFile(path, 'utf8').catch(() => '')).split('\n')[0]);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

/**
 * The living processes of a server: all that work in its folder, since the children of a killed
 * server can outlive it. Where there is no /proc, the first one alone.
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

/** Whether a process is PostgreSQL with this folder. One that has ended and was not reaped yet has none any more. */
async function worksIn(pid: number, data: string): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (name.trim() !== 'postgres') return false;
  const [theirs, ours] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => null), stat(data).catch(() => null)]);
  return theirs !== null && ours !== null && theirs.ino === ours.ino && theirs.dev === ours.dev;
}

/** Whether there is a process of this number. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
