/** Fair shares of what all accounts of an application may use of a platform. */
import type { Queryable } from '../db/database.ts';
import { DAY, MINUTE } from '../lib/time.ts';
import { BudgetEmpty } from '../outbound/platform-error.ts';

/** How long a user who used their share waits before trying again for what other users left. */
export const SHARE_PAUSE_MS = 15 * MINUTE;

/** This user already used their share of what the application may use, so other users come first. */
export class ShareUsed extends BudgetEmpty {}

export interface Used {
  byAll: number;
  byUser: number;
}

/** Other users who compete for the rest. */
export interface Others {
  users: number;
  /** How much of the rest is reserved for them. */
  needs: number;
}

/** Whether the second half of a limit has begun, so that shares count. */
export const isHalfUsed = ({ byAll }: Pick<Used, 'byAll'>, limit: number) => byAll * 2 >= limit;

/**
 * Returns whether a user must leave the rest of a limit to other users. The first half is first come, first served. A
 * user's equal share is the limit divided by the number of users who compete for it. In the second half, a user beyond
 * that share gets more only under one condition: the rest must exceed what is reserved for the others. Pure.
 */
export function isReservedForOthers(limit: number, used: Used, others: Others): boolean {
  if (!isHalfUsed(used, limit)) return false;
  const share = Math.max(1, Math.floor(limit / (others.users + 1)));
  return used.byUser >= share && limit - used.byAll <= others.needs;
}

/**
 * SQL: other users with an active rule whose source is watched on a platform, and what is reserved for them: the unused part of
 * each one's equal share, but not more of the share than is left of the window. So what nobody uses is free for others in the
 * end. `$1`: platform, `$2`: the user, `$3`: the limit.
 * @param used SQL query for the uses of users: `user_id`, `used` @param left SQL expression: the part of the window that is left
 */
const readingOthers = (used: string, left: string) => `
  with others as (
    select distinct a.user_id from watch w join identity d on d.watch_id = w.id join account a on a.identity_id = d.id
      join rule r on r.from_account = a.id join rule_interval i on i.rule_id = r.id and i.active_to is null
    where w.platform = $1 and a.status = 'CONNECTED' and a.service = '' and not a.sandbox and a.user_id is distinct from $2::uuid),
  share as (select greatest(1, floor($3::float8 / (count(*) + 1))) as size from others)
  select count(*)::float8 as users,
    coalesce(sum(greatest(0, least(share.size - coalesce(u.used, 0), share.size * ${left}))), 0)::float8 as needs
  from others o cross join share left join (${used}) u on u.user_id = o.user_id`;

/** Other users who share the charged reads of today (UTC). Indexes: unique key of watch, identity_watch, account_identity, rule_source. */
export async function othersForReads(
  db: Queryable,
  { platform, userId, limit, leftMs }: { platform: string; userId: string | null; limit: number; leftMs: number },
): Promise<Others> {
  const used = `select user_id, reads + for_service as used from user_reads
    where platform = $1 and day = (app_now() at time zone 'UTC')::date`;
  const [others] = await db.query<Others>(readingOthers(used, '$4::float8'), [platform, userId, limit, leftMs / DAY]);
  return others ?? { users: 0, needs: 0 };
}

/**
 * Other users who share a budget for reading. Indexes: as {@link othersForReads}, and budget_use_window.
 * @param window its beginning and, if it ends for all uses at once, its end, as SQL in which `$5` is its span
 */
export async function othersForBudget(
  db: Queryable,
  {
    platform,
    userId,
    key,
    limit,
    span,
  }: { platform: string; userId: string; key: string; limit: number; span: unknown },
  { from, to, isDay }: { from: string; to: string; isDay: boolean },
): Promise<Others> {
  const used = `select user_id, count(*) as used from budget_use where key = $4 and at > ${from} group by user_id`;
  const left = isDay
    ? `(extract(epoch from (${to}) - app_now()) / extract(epoch from (${to}) - (${from})))::float8`
    : '1';
  const [others] = await db.query<Others>(readingOthers(used, left), [platform, userId, limit, key, span]);
  return others ?? { users: 0, needs: 0 };
}
