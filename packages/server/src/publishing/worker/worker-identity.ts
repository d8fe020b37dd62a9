/**
 * Identity of a worker process, so that others can tell whether it is dead. A dead process sends nothing more; a frozen
 * one might.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Queryable } from '../../db/database.ts';

export interface WorkerIdentity {
  id: string;
  /** Boot id of the host. A different one means that all earlier processes are gone. */
  bootId: string;
  /** PID namespace. Equal pids identify the same process only within one namespace. */
  pidNamespace: string;
  pid: number;
  /** Start of the process in clock ticks since boot, as text. Distinguishes a reused pid. */
  processStart: string;
}

/** @param id a new id for this worker */
export function thisWorker(id: string): WorkerIdentity {
  return {
    id,
    bootId: firstLine('/proc/sys/kernel/random/boot_id') ?? hostname(),
    pidNamespace: link('/proc/self/ns/pid') ?? 'unknown',
    pid: process.pid,
    processStart: processStart(process.pid) ?? 'unknown',
  };
}

/** Start of a process in clock ticks since boot; null without such a process or without /proc. */
export function processStart(pid: number): string | null {
  const stat = firstLine(`/proc/${pid}/stat`);
  // The second field is the program name in parentheses and may itself contain spaces and parentheses.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

export async function registerWorker(db: Queryable, worker: WorkerIdentity): Promise<void> {
  await db.execute(
    `insert into worker (id, boot_id, pid_namespace, pid, process_start) values ($1, $2, $3, $4, $5)
     on conflict (id) do update set heartbeat_at = app_now()`,
    [worker.id, worker.bootId, worker.pidNamespace, worker.pid, worker.processStart],
  );
}

/**
 * Records that a worker is alive in this minute. Only minutes without a worker make a post late.
 * @param aliveSince the database's time since which it has been alive: a jump of that clock skips no minutes. null:
 * unknown
 * @returns the database's time
 */
export async function heartbeat(db: Queryable, workerId: string, aliveSince: Date | null): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(
    `with beat as (update worker set heartbeat_at = app_now() where id = $1),
       alive as (
         insert into alive_minute select generate_series(
           date_trunc('minute', greatest(least($2, app_now()), app_now() - interval '8 days')),
           date_trunc('minute', app_now()), interval '1 minute')
         on conflict do nothing)
     select app_now() as now`,
    [workerId, aliveSince],
  );
  if (!row) throw new Error('The time of the heartbeat is missing.');
  return row.now;
}

export async function signOff(db: Queryable, workerId: string): Promise<void> {
  await db.execute('update worker set stopped_at = app_now() where id = $1', [workerId]);
}

/**
 * Ends the leases of workers in this PID namespace whose process is gone. Leases are expired, not cleared, so that the
 * next claim still sees the crash.
 * @returns number of freed lanes
 */
export async function freeDeadLeases(db: Queryable, self: WorkerIdentity): Promise<number> {
  if (self.pidNamespace === 'unknown') return 0;
  const holders = await db.query<{ id: string; pid: number; processStart: string; bootId: string }>(
    `select w.id, w.pid, w.process_start as "processStart", w.boot_id as "bootId" from worker w
     where w.pid_namespace = $1 and w.boot_id = $2 and w.id <> $3
       and exists (select 1 from lane l where l.worker_id = w.id and l.lease_until > app_now())`,
    [self.pidNamespace, self.bootId, self.id],
  );
  const gone = holders.filter((holder) => processStart(holder.pid) !== holder.processStart).map((holder) => holder.id);
  if (gone.length === 0) return 0;
  const freed = await db.execute(
    `with dead as materialized (
       select identity_id from lane where worker_id = any($1::uuid[]) and lease_until > app_now()
       order by identity_id for update skip locked)
     update lane l set lease_until = app_now() from dead where l.identity_id = dead.identity_id`,
    [gone],
  );
  // A heartbeat just before its end must not make the holder appear alive.
  await db.execute('update worker set stopped_at = app_now() where id = any($1::uuid[]) and stopped_at is null', [
    gone,
  ]);
  return freed;
}

function firstLine(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

function link(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
