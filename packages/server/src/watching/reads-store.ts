/** Reads that platforms charge for, counted per day (UTC). */
import type { Queryable } from '../db/database.ts';

/** Counts charged reads of today (UTC). @returns the day's total. Index: primary key. */
export async function countReads(db: Queryable, platform: string, reads: number): Promise<number> {
  const [row] = await db.query<{ reads: string }>(
    `insert into watch_reads (platform, day, reads) values ($1, (app_now() at time zone 'UTC')::date, $2)
     on conflict (platform, day) do update set reads = watch_reads.reads + excluded.reads returning reads`,
    [platform, reads],
  );
  return Number(row?.reads ?? 0);
}

/** Counts charged reads of today (UTC) that a user asked for. Index: primary key. */
export async function countUserReads(db: Queryable, platform: string, userId: string, reads: number): Promise<void> {
  await db.execute(
    `insert into user_reads as u (user_id, platform, day, reads)
       select id, $1, (app_now() at time zone 'UTC')::date, $3 from auth."user" where id = $2
     on conflict (user_id, platform) do update
       set day = excluded.day, reads = excluded.reads + case when u.day = excluded.day then u.reads else 0 end`,
    [platform, userId, reads],
  );
}

/** Charged reads of today (UTC) that a user asked for. Index: primary key. */
export async function userReadsToday(db: Queryable, platform: string, userId: string): Promise<number> {
  const [row] = await db.query<{ reads: number }>(
    `select reads from user_reads
     where user_id = $2 and platform = $1 and day = (app_now() at time zone 'UTC')::date`,
    [platform, userId],
  );
  return row?.reads ?? 0;
}

/** Charged reads of today (UTC), and the ms until the next day. Index: primary key. */
export async function readsToday(db: Queryable, platform: string): Promise<{ reads: number; leftMs: number }> {
  const [row] = await db.query<{ reads: string; leftMs: number }>(
    `select coalesce((select reads from watch_reads where platform = $1 and day = (app_now() at time zone 'UTC')::date), 0) as reads,
       (extract(epoch from date_trunc('day', app_now() at time zone 'UTC') + interval '1 day'
         - (app_now() at time zone 'UTC')) * 1000)::float8 as "leftMs"`,
    [platform],
  );
  return { reads: Number(row?.reads ?? 0), leftMs: row?.leftMs ?? 0 };
}
