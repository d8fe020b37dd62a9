/**
 * A database-backed work queue. A row says when it is due (`due_at`), who has it (`lease_until`, `fence`) and how often
 * it was claimed without success (`attempts`).
 * A claim updates the row it locks, so two workers never hold it at once. Each claim increments the fencing token;
 * writes with an older token change nothing. Other SQL that ends a claim must set `lease_until` to null, as `release`
 * does.
 * All times are the database's (`app_now()`).
 */
import type { Queryable, Row } from '../db/database.ts';
import { MINUTE } from '../lib/time.ts';
import { dueCondition, fairDue, shareParameters } from './fair-due.ts';
import { type Holder, type Limits, NO_LIMITS } from './shares.ts';

export interface Claim<R extends object = Row> extends Holder {
  key: string;
  fence: number;
  /** Claims since the last success, including this one. */
  attempts: number;
  /** The row as claimed. */
  row: R;
}

/** Claims and ends due rows of one table. Needs a partial index on `due_at` where it is not null. */
export interface DueRows<R extends object = Row> {
  /**
   * Claims due rows, earliest first, then by key.
   * @param options.leaseMs lease duration without renewal @param options.limits shares of users; absent: unlimited
   */
  claim(db: Queryable, options: { limit: number; leaseMs: number; limits?: Limits }): Promise<Claim<R>[]>;
  /** Claims one row, due or not, unless it is leased. Makes it due from now on. */
  take(db: Queryable, key: string, leaseMs: number): Promise<Claim<R> | null>;
  /** Extends a lease and never shortens it. @returns false when the lease was lost */
  renew(db: Queryable, claim: Claim<R>, leaseMs: number): Promise<boolean>;
  /** Releases the row, due again after `afterMs`, or never (null). A failed one keeps its count of attempts. */
  release(db: Queryable, claim: Claim<R>, next: { afterMs: number | null; failed: boolean }): Promise<boolean>;
  /** Deletes the row. */
  remove(db: Queryable, claim: Claim<R>): Promise<boolean>;
}

/** Names of columns. They come from our source, never from a request. */
export interface DueColumns {
  /** The primary key. Default: `id`. */
  key?: string;
  /** The user whose share the row counts against; null: the rows are nobody's, or each user has one. */
  user: 'user_id' | null;
  /** The server that a user named, or "". Absent: no job of these rows asks such a server, or none in particular. */
  service?: 'service';
}

/** Number of due rows that a claim considers. Those of users who have their share are left out before. */
const CANDIDATES = 128;

/** @param table name of a table */
export function dueRows<R extends object = Row>(table: string, { key = 'id', user, service }: DueColumns): DueRows<R> {
  const claimed =
    "lease_until = app_now() + $2::float8 * interval '1 ms', fence = t.fence + 1, attempts = t.attempts + 1";
  // Every final write of a claim ends the lease. If its response is lost and the caller then releases the row, the
  // finished row stays finished.
  const ours = 'fence = $2 and lease_until is not null';
  const [owner, ownServer] = [user ?? 'null::uuid', service ? `${service} <> ''` : 'false'];
  const candidates = `greatest($1::integer, ${CANDIDATES})`;
  const shares = { full: '$3', users: '$4', slots: '$5', ownServers: '$6', share: '$7' };
  const claimSql = `with ${fairDue({ table, key, dueAt: 'due_at', owner, ownServer, candidates }, shares)},
    due as materialized (
      select r.${key} from allowed a join ${table} r on r.${key} = a.${key} where ${dueCondition('due_at', 'r.')}
      order by a.due_at, a.${key} limit $1 for update of r skip locked)
    update ${table} t set ${claimed} from due where t.${key} = due.${key} returning t.*`;
  const takeSql = `update ${table} t set ${claimed}, due_at = least(due_at, app_now())
    where ${key} = $1 and (lease_until is null or lease_until <= app_now()) returning t.*`;
  const renewSql = `update ${table} set lease_until = greatest(lease_until, app_now() + $3::float8 * interval '1 ms')
    where ${key} = $1 and ${ours}`;
  const releaseSql = `update ${table} set lease_until = null, due_at = app_now() + $3::float8 * interval '1 ms',
      attempts = case when $4 then attempts else 0 end
    where ${key} = $1 and ${ours}`;
  const removeSql = `delete from ${table} where ${key} = $1 and fence = $2`;
  const dueAt = (row: Row) => (row.due_at as Date | null)?.getTime() ?? 0;
  const byTurn = (a: Row, b: Row) => dueAt(a) - dueAt(b) || (String(a[key]) < String(b[key]) ? -1 : 1);
  const claimOf = (row: R): Claim<R> => {
    const { fence, attempts, [key]: id, [user ?? '']: userId = null, [service ?? '']: server = '' } = row as Row;
    const holder = { userId: userId as string | null, ownServer: server !== '' };
    return { key: String(id), fence: Number(fence), attempts: Number(attempts), ...holder, row };
  };
  return {
    async claim(db, { limit, leaseMs, limits = NO_LIMITS }) {
      const { full, users, slots } = shareParameters(limits);
      const { ownServers, share } = limits;
      const rows = await db.query<R & Row>(claimSql, [limit, leaseMs, full, users, slots, ownServers, share]);
      return rows.toSorted(byTurn).map(claimOf);
    },
    take: async (db, id, leaseMs) => (await db.query<R>(takeSql, [id, leaseMs])).map(claimOf)[0] ?? null,
    renew: async (db, { key: id, fence }, leaseMs) => (await db.execute(renewSql, [id, fence, leaseMs])) > 0,
    release: async (db, { key: id, fence }, { afterMs, failed }) =>
      (await db.execute(releaseSql, [id, fence, afterMs, failed])) > 0,
    remove: async (db, { key: id, fence }) => (await db.execute(removeSql, [id, fence])) > 0,
  };
}

/**
 * Runs a claimed job. A failure is reported, and the row is due again after 2 s, then twice as long each time.
 * @param options.maxPauseMs maximum delay in ms
 */
export async function runOrRetry<R extends object>(
  db: Queryable,
  rows: DueRows<R>,
  claim: Claim<R>,
  { run, onError, maxPauseMs }: { run(): Promise<unknown>; onError(error: unknown): void; maxPauseMs: number },
): Promise<void> {
  try {
    await run();
  } catch (error) {
    onError(error);
    await rows.release(db, claim, { afterMs: Math.min(1_000 * 2 ** claim.attempts, maxPauseMs), failed: true });
  }
}

/** A job ran into its total time limit. */
export class JobTimedOut extends Error {
  constructor(withinMs: number) {
    super(`The job took longer than ${Math.round(withinMs / MINUTE)} minutes.`);
    this.name = 'JobTimedOut';
  }
}

/** Another worker has the row of a job, or it was ended or deleted. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease was lost.');
    this.name = 'LeaseLost';
  }
}

export interface LeaseTimes {
  leaseMs: number;
  /** Total time of the job in ms. Renewal ends with it, so that another worker may try. */
  withinMs: number;
  /** Called with a failed renewal, which is tried again. */
  onError(error: unknown): void;
}

export interface Lease {
  /** Aborted with {@link LeaseLost} or {@link JobTimedOut}. */
  signal: AbortSignal;
  /** Ends the renewal. Aborts nothing. */
  end(): void;
}

/** Renews the lease of a job in progress until the job's time is over. */
export function keepLease<R extends object>(
  db: Queryable,
  rows: Pick<DueRows<R>, 'renew'>,
  claim: Claim<R>,
  { leaseMs, withinMs, onError }: LeaseTimes,
): Lease {
  const over = new AbortController();
  const end = () => {
    clearInterval(renewal);
    clearTimeout(deadline);
  };
  const renew = () => rows.renew(db, claim, leaseMs).then((held) => held || over.abort(new LeaseLost()), onError);
  const renewal = setInterval(() => void renew(), leaseMs / 3);
  const deadline = setTimeout(() => {
    end();
    over.abort(new JobTimedOut(withinMs));
  }, withinMs);
  return { signal: over.signal, end };
}

/**
 * Runs a job whose requests may together take longer than its lease, which is renewed meanwhile. What a worker without
 * the lease writes is refused.
 * @throws JobTimedOut when the job's time is over, even if the job continues; errors of `run`
 */
export async function withLease<R extends object>(
  db: Queryable,
  rows: Pick<DueRows<R>, 'renew'>,
  claim: Claim<R>,
  { run, ...times }: LeaseTimes & { run(signal: AbortSignal): Promise<unknown> },
): Promise<void> {
  const lease = keepLease(db, rows, claim, times);
  const timedOut = Promise.withResolvers<never>();
  lease.signal.addEventListener('abort', () => {
    if (lease.signal.reason instanceof JobTimedOut) timedOut.reject(lease.signal.reason);
  });
  try {
    await Promise.race([run(lease.signal), timedOut.promise]);
  } finally {
    lease.end();
  }
}
