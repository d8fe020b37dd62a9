/** Counts events in sliding windows, exactly and on all nodes together. */
import type { Queryable } from '../db/database.ts';
import { deleteRows } from '../db/delete-rows.ts';

/** At most `most` events per sliding window of `windowMs`. */
export interface Limit {
  key: string;
  most: number;
  windowMs: number;
}

export interface Taken {
  allowed: boolean;
  remaining: number;
  /** Seconds until the oldest counted event leaves the window. */
  resetSeconds: number;
}

/**
 * Counts one event against a limit, exactly, even with concurrent calls on several nodes. The upsert locks the row,
 * keeps the events still in the window, and adds this one if there is room. Rejected events are not counted. Index:
 * primary key of `rate`.
 */
export async function take(db: Queryable, limit: Limit): Promise<Taken> {
  const [row] = await db.query<{ allowed: boolean; used: number; reset: number }>(
    `insert into rate as r (key, moments, allowed, expires_at)
     select $1, case when $2 > 0 then array[app_now()] else '{}' end, $2 > 0, app_now() + $3 * interval '1 millisecond'
     on conflict (key) do update set (moments, allowed, expires_at) = (
       select case when cardinality(kept) < $2 then kept || app_now() else kept end,
              cardinality(kept) < $2,
              app_now() + $3 * interval '1 millisecond'
       from (select array(
         select m from unnest(r.moments) m where m > app_now() - $3 * interval '1 millisecond' order by m
       ) as kept) k)
     returning allowed, cardinality(moments) as used,
       coalesce(extract(epoch from moments[1] - app_now()) + $3 / 1000.0, $3 / 1000.0)::float8 as reset`,
    [limit.key, limit.most, limit.windowMs],
  );
  return {
    allowed: row?.allowed ?? false,
    remaining: Math.max(0, limit.most - (row?.used ?? 0)),
    resetSeconds: Math.max(1, Math.ceil(row?.reset ?? 0)),
  };
}

/** Removes the newest event of a limit, because it turned out not to count. Index: primary key of `rate`. */
export async function giveBack(db: Queryable, limit: Limit): Promise<void> {
  await db.execute('update rate set moments = trim_array(moments, 1) where key = $1 and cardinality(moments) > 0', [
    limit.key,
  ]);
}

/** Whether a limit is used up, without counting an event. Index: primary key of `rate`. */
export async function isUsedUp(db: Queryable, limit: Limit): Promise<Taken> {
  const [row] = await db.query<{ used: number; reset: number }>(
    `select count(*) as used,
       coalesce(extract(epoch from min(m) - app_now()) + $2 / 1000.0, 0)::float8 as reset
     from rate, unnest(moments) m where key = $1 and m > app_now() - $2 * interval '1 millisecond'`,
    [limit.key, limit.windowMs],
  );
  const used = row?.used ?? 0;
  return {
    allowed: used < limit.most,
    remaining: Math.max(0, limit.most - used),
    resetSeconds: Math.max(1, Math.ceil(row?.reset ?? 0)),
  };
}

/** Deletes limits that were not used for a whole window. Index: `rate_expiry`. */
export function sweep(db: Queryable): Promise<number> {
  return deleteRows(db, 'rate', 'expires_at < app_now()');
}
