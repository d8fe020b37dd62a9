/** Reads that platforms charge for, counted per day (UTC): all of them, and those for each user. */
import type { Queryable } from '../db/database.ts';

/** Whom reads are for. */
export interface ReadsFor {
  platform: string;
  userId: string;
  /** Whether the user asked for the posts. Otherwise they are for rules and posts. */
  isAsked: boolean;
}

/** Counts charged reads of today (UTC). Indexes: primary keys. */
export async function countReads(db: Queryable, { platform, userId, isAsked }: ReadsFor, reads: number): Promise<void> {
  await countPlatformReads(db, platform, reads);
  await db.execute(
    `insert into user_reads as u (user_id, platform, day, reads, for_service)
       select id, $1, (app_now() at time zone 'UTC')::date, $3, $4 from auth."user" where id = $2
     on conflict (user_id, platform) do update set day = excluded.day,
       reads = excluded.reads + case when u.day = excluded.day then u.reads else 0 end,
       for_service = excluded.for_service + case when u.day = excluded.day then u.for_service else 0 end`,
    [platform, userId, isAsked ? reads : 0, isAsked ? 0 : reads],
  );
}

/** Charged reads of today (UTC) that were counted for no user. Index: primary key of watch_reads. */
export async function announcedReads(db: Queryable, platform: string): Promise<number> {
  const [row] = await db.query<{ reads: number }>(
    `select greatest(0, w.reads - coalesce((select sum(u.reads + u.for_service) from user_reads u
       where u.platform = w.platform and u.day = w.day), 0))::float8 as reads
     from watch_reads w where w.platform = $1 and w.day = (app_now() at time zone 'UTC')::date`,
    [platform],
  );
  return row?.reads ?? 0;
}

/** Counts charged reads of today (UTC) that are for no single user: announcements. Index: primary key. */
export async function countPlatformReads(db: Queryable, platform: string, reads: number): Promise<void> {
  await db.execute(
    `insert into watch_reads (platform, day, reads) values ($1, (app_now() at time zone 'UTC')::date, $2)
     on conflict (platform, day) do update set reads = watch_reads.reads + excluded.reads`,
    [platform, reads],
  );
}

/** Charged reads of a day. */
export interface ReadsOfDay {
  /** Of all users. */
  reads: number;
  /** The user's, all of them and those that they asked for. */
  ofUser: { reads: number; asked: number };
  /** Time until the next day in ms. */
  leftMs: number;
}

/** Charged reads of today (UTC). @param userId null: of no user. Indexes: primary keys. */
export async function readsToday(db: Queryable, platform: string, userId: string | null): Promise<ReadsOfDay> {
  const [row] = await db.query<{ reads: number; used: number; asked: number; leftMs: number }>(
    `with today as (select (app_now() at time zone 'UTC')::date as day)
     select coalesce(w.reads, 0)::float8 as reads, coalesce(u.reads + u.for_service, 0)::float8 as used,
       coalesce(u.reads, 0)::float8 as asked,
       (extract(epoch from today.day + interval '1 day' - (app_now() at time zone 'UTC')) * 1000)::float8 as "leftMs"
     from today left join watch_reads w on w.platform = $1 and w.day = today.day
       left join user_reads u on u.platform = $1 and u.user_id = $2 and u.day = today.day`,
    [platform, userId],
  );
  const { reads = 0, used = 0, asked = 0, leftMs = 0 } = row ?? {};
  return { reads, ofUser: { reads: used, asked }, leftMs };
}
