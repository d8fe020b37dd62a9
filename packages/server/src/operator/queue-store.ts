/** SQL about queues and workers: what is due, what is late, what finished, and who works. */
import type { Queryable } from '../db/database.ts';

/** Work that has been due for longer counts as late, in seconds. */
export const LATE_AFTER_SECONDS = 60;
/** A worker sends a heartbeat every 20 s. After this many seconds without one it counts as gone. */
export const ALIVE_WITHIN_SECONDS = 150;
/** Intervals of the rate, in minutes. */
export const RATE_MINUTES = 5;

export type QueueName = 'posts' | 'rules' | 'conversions' | 'watches' | 'files' | 'removals';

export interface QueueRow {
  name: QueueName;
  due: number;
  late: number;
  /** Seconds since the oldest became due; null if nothing is due. */
  oldest: number | null;
}

const COUNTS = `count(*)::integer as due,
  (count(*) filter (where due_at < app_now() - interval '${LATE_AFTER_SECONDS} s'))::integer as late,
  floor(extract(epoch from app_now() - min(due_at)))::integer as oldest`;

const TABLES = {
  rules: 'firing',
  conversions: 'rendition',
  watches: 'watch',
  files: 'source_file',
  removals: 'file_removal',
} as const satisfies Partial<Record<QueueName, string>>;

/** Reads only what is due. Indexes: lane_due, target_due, and `TABLE_due` of each table. */
export function readQueues(db: Queryable): Promise<QueueRow[]> {
  const posts = `select 'posts' as name, ${COUNTS} from (
      select t.due_at from lane l join target t on t.identity_id = l.identity_id
      where l.next_due_at <= app_now() and t.due_at <= app_now()) due`;
  const others = Object.entries(TABLES).map(
    ([name, table]) => `select '${name}', ${COUNTS} from ${table} where due_at <= app_now()`,
  );
  return db.query<QueueRow>([posts, ...others].join(' union all '));
}

export interface RetryingRow {
  platform: string;
  /** Posts to accounts that failed and will be tried again. */
  posts: number;
}

/** Posts in trouble that are counted, over all platforms. */
export const MAX_RETRYING = 10_000;

/** What is being tried again, by platform, most first. Index: target_trouble. */
export function readRetrying(db: Queryable): Promise<RetryingRow[]> {
  return db.query<RetryingRow>(
    `select a.platform, count(*)::integer as posts
     from (select account_id from target where trouble is not null and due_at is not null limit ${MAX_RETRYING}) t
       join account a on a.id = t.account_id
     group by a.platform order by posts desc, a.platform`,
  );
}

export interface RateRow {
  /** Start of the interval. */
  at: Date;
  posted: number;
  failed: number;
}

/** What finished in the last hour, in intervals of {@link RATE_MINUTES}, oldest first. Index: target_settled. */
export function readRate(db: Queryable): Promise<RateRow[]> {
  const width = `interval '${RATE_MINUTES} minutes'`;
  return db.query<RateRow>(
    `select i.at, (count(t.*) filter (where t.state = 'posted'))::integer as posted,
       (count(t.*) filter (where t.state = 'failed'))::integer as failed
     from generate_series(app_now() - interval '1 hour', app_now() - ${width}, ${width}) i (at)
       left join target t on t.settled_at > i.at and t.settled_at <= i.at + ${width}
     group by i.at order by i.at`,
  );
}

export interface WorkerRow {
  id: string;
  pid: number;
  started_at: Date;
  heartbeat_at: Date;
  /** Seconds since the last heartbeat. */
  age: number;
  stopped: boolean;
  /** Accounts that it works on. */
  lanes: number;
}

const MAX_WORKERS = 100;

/** Workers of the last day, latest heartbeat first. A small table; index: lane_worker. */
export function readWorkers(db: Queryable): Promise<WorkerRow[]> {
  return db.query<WorkerRow>(
    `select w.id, w.pid, w.started_at, w.heartbeat_at, w.stopped_at is not null as stopped,
       greatest(0, floor(extract(epoch from app_now() - w.heartbeat_at)))::integer as age,
       (select count(*) from lane l where l.worker_id = w.id and l.lease_until > app_now())::integer as lanes
     from worker w where w.heartbeat_at > app_now() - interval '1 day'
     order by w.stopped_at is not null, w.heartbeat_at desc, w.id limit ${MAX_WORKERS}`,
  );
}
