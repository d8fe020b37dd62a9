/** What the kernel knows of processes (Linux only: proc(5)). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Clock ticks a second that /proc counts in: 100 on every Linux that user programs see. */
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

/** Memory of a process in bytes, shared pages counted in part; 0 when it is gone. */
export function pss(pid: number): number {
  return kilobytes(read(`/proc/${pid}/smaps_rollup`), 'Pss');
}

/**
 * Memory in bytes of processes of one program as it would be if no other process on the machine had any of it in common:
 * what they share among themselves is counted once, the program's own file pages in full.
 */
export function alone(pids: readonly number[]): number {
  const own = pids.map((pid) => {
    const text = read(`/proc/${pid}/smaps_rollup`);
    return kilobytes(text, 'Pss_Anon') + kilobytes(text, 'Pss_Shmem');
  });
  const files = pids.map((pid) => kilobytes(read(`/proc/${pid}/status`), 'RssFile'));
  return own.reduce((sum, each) => sum + each, 0) + Math.max(0, ...files);
}

/** Memory of a process in bytes as it is resident now, and the most since {@link forgetPeak}. */
export function rss(pid: number): { now: number; peak: number } {
  const status = read(`/proc/${pid}/status`);
  return { now: kilobytes(status, 'VmRSS'), peak: kilobytes(status, 'VmHWM') };
}

/** The peak of resident memory counts from now. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** A process and all that it started, directly or not. */
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

/** Name of a process's program, "" when it is gone. */
export function nameOf(pid: number): string {
  return read(`/proc/${pid}/comm`).trim();
}

/** CPU time in ms that processes have used, their ended children included. */
export function cpu(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const stat = read(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((total, place) => total + Number(fields[place] ?? 0), 0);
    return sum + (ticks * 1000) / TICKS;
  }, 0);
}

/** Looks at something every so many ms while work is done. @returns the most that was seen */
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
