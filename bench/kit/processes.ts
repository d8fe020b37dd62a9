/** Process statistics from the kernel (Linux only: proc(5)). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Clock ticks per second in /proc: 100 in user space on every Linux. */
const TICKS = 100;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
}

/** Proportional set size of a process in bytes; 0 if it is gone. */
export function pss(pid: number): number {
  return kilobytes(read(`/proc/${pid}/smaps_rollup`), 'Pss');
}

/**
 * Memory in bytes of one program's processes, as if no other process on the machine shared pages with them. Pages that
 * they share among themselves count once; the program's own file pages count in full.
 */
export function alone(pids: readonly number[]): number {
  const own = pids.map((pid) => {
    const text = read(`/proc/${pid}/smaps_rollup`);
    return kilobytes(text, 'Pss_Anon') + kilobytes(text, 'Pss_Shmem');
  });
  const files = pids.map((pid) => kilobytes(read(`/proc/${pid}/status`), 'RssFile'));
  return own.reduce((sum, each) => sum + each, 0) + Math.max(0, ...files);
}

/** Resident memory of a process in bytes: now, and its peak since {@link forgetPeak}. */
export function rss(pid: number): { now: number; peak: number } {
  const status = read(`/proc/${pid}/status`);
  return { now: kilobytes(status, 'VmRSS'), peak: kilobytes(status, 'VmHWM') };
}

/** Resets the peak of resident memory. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** A process and all its descendants. */
export function family(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const all = [pid];
  for (const each of all) all.push(...(parents.get(each) ?? []));
  return all;
}

/** Program name of a process; "" if it is gone. */
export function nameOf(pid: number): string {
  return read(`/proc/${pid}/comm`).trim();
}

/** CPU time used by processes in ms, including their finished children. */
export function cpu(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const stat = read(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((total, place) => total + Number(fields[place] ?? 0), 0);
    return sum + (ticks * 1000) / TICKS;
  }, 0);
}

/**
 * Samples a value every `everyMs` ms while work is in progress.
 * @returns the maximum
 */
export async function mostDuring(look: () => number, everyMs: number, work: Promise<unknown>): Promise<number> {
  let most = look();
  let over = false;
  const watch = async () => {
    while (!over) {
      most = Math.max(most, look());
      await pause(everyMs);
    }
  };
  const watching = watch();
  try {
    await work;
  } finally {
    over = true;
    await watching;
  }
  return most;
}
