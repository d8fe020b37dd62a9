/**
 * SQL of the search over posts: finds positions in the order of the history (date, then id, descending), and loads
 * entries. Each statement reads a bounded number of rows, or only rows that match.
 */

import type { Queryable } from '../db/database.ts';
import { isAfter, microsOf, type Position } from '../errors/cursor.ts';
import type { TargetState } from '../publishing/target.ts';
import { ENTRY, type EntryRow, targetsOf } from './history-store.ts';

/** The part of the order that is searched. */
export interface Section {
  /** Exclusive; null: from the newest. */
  after: Position | null;
  /** The oldest date. */
  from: Date;
  limit: number;
}

/** Targets that a post must have. */
export interface TargetFilter {
  /** null: any account of the user. */
  accountId: string | null;
  finalStates: readonly TargetState[];
  /** Whether targets that are not final match. */
  pending: boolean;
}

export interface FoundEntry extends EntryRow {
  createdAt: Date;
}

const MICROS = `${microsOf('date')} as micros`;

const BY_HISTORY = `select id, date from post where user_id = $1 and ${isAfter({ time: 'date', id: 'id' }, 2)} and date >= $4
  order by date desc, id desc limit $5`;

/** Each account contributes its first rows: together they contain the first rows of all. */
const BY_TARGETS = `select distinct date, id from (
    select f.post_date as date, f.post_id as id
    from account a cross join unnest($7::text[]) s (state) cross join lateral (
      select post_date, post_id from target t
      where t.account_id = a.id and t.state = s.state and t.due_at is null and ${isAfter({ time: 'post_date', id: 'post_id' }, 2)}
        and post_date >= $4 order by post_date desc, post_id desc limit $5) f
    where a.user_id = $1 and ($6::uuid is null or a.id = $6)
    union all
    select t.post_date, t.post_id from account a join target t on t.account_id = a.id
    where a.user_id = $1 and ($6::uuid is null or a.id = $6) and $8 and t.due_at is not null
      and ${isAfter({ time: 'post_date', id: 'post_id' }, 2)} and post_date >= $4) f
  order by date desc, id desc limit $5`;

const sectionValues = (userId: string, { after, from }: Section, rows: number) => [
  userId,
  after?.micros ?? null,
  after?.id ?? null,
  from,
  rows,
];

const targetValues = ({ accountId, finalStates, pending }: TargetFilter) => [accountId, finalStates, pending];

/** Index: post_history. */
export function findPosts(db: Queryable, userId: string, section: Section): Promise<Position[]> {
  return db.query<Position>(
    `select id, ${MICROS} from (${BY_HISTORY}) f`,
    sectionValues(userId, section, section.limit),
  );
}

/** Finds posts with such a target. Indexes: account_listing, target_history, target_account. */
export function findByTargets(
  db: Queryable,
  userId: string,
  section: Section,
  filter: TargetFilter,
): Promise<Position[]> {
  const values = [...sectionValues(userId, section, section.limit), ...targetValues(filter)];
  return db.query<Position>(`select id, ${MICROS} from (${BY_TARGETS}) f`, values);
}

/**
 * Looks for a text in the first `scanned` posts of a section. It ends as soon as enough are found.
 * @param pattern of LIKE
 * @returns `complete`: there are no further posts in the section, or enough were found
 */
export async function scanForText(
  db: Queryable,
  userId: string,
  section: Section,
  { filter, pattern, scanned }: { filter: TargetFilter | null; pattern: string; scanned: number },
): Promise<{ found: Position[]; complete: boolean }> {
  const values = [...sectionValues(userId, section, scanned), ...(filter ? targetValues(filter) : [])];
  const [patternAt, limitAt] = [values.length + 1, values.length + 2];
  // The branches run in this order, and only as far as the limit needs them.
  const rows = await db.query<Position | { id: null; micros: string }>(
    `with section as materialized (${filter ? BY_TARGETS : BY_HISTORY})
     (select s.id, ${MICROS}
      from section s cross join lateral (select description from post where id = s.id offset 0) p
      where p.description ilike $${patternAt} limit $${limitAt})
     union all (select null, count(*)::text from section) limit $${limitAt}`,
    [...values, pattern, section.limit],
  );
  const found = rows.filter((row): row is Position => row.id !== null);
  const count = rows.find((row) => row.id === null)?.micros;
  return { found, complete: count === undefined || Number(count) < scanned };
}

/**
 * Looks for a text in a whole section.
 * @param options.indexed whether the pattern contains what the index holds: three letters or digits in a row
 * Indexes: post_text, or else post_history; target_post.
 */
export function findByText(
  db: Queryable,
  userId: string,
  section: Section,
  { filter, pattern, indexed }: { filter: TargetFilter | null; pattern: string; indexed: boolean },
): Promise<Position[]> {
  const values = [...sectionValues(userId, section, section.limit), pattern];
  // A pattern without such a part would read the whole index.
  const text = indexed ? 'p.description' : `(p.description || '')`;
  const targets = filter
    ? `and exists (select from target t where t.post_id = p.id and ($7::uuid is null or t.account_id = $7)
         and (t.state = any($8::text[]) or ($9 and t.due_at is not null)))`
    : '';
  // Without the limit inside, the planner has no reason to walk the whole history in search of a rare text.
  return db.query<Position>(
    `with found as materialized (
       select p.id, p.date from post p
       where p.user_id = $1 and ${text} ilike $6 and ${isAfter({ time: 'p.date', id: 'p.id' }, 2)} and p.date >= $4 ${targets})
     select id, ${MICROS} from found order by date desc, id desc limit $5`,
    [...values, ...(filter ? targetValues(filter) : [])],
  );
}

/**
 * Finds posts whose date is in a range, or that were published in it.
 * @param section.after as in {@link Section}, folded with the end of the range
 * @param range.cursor the position alone
 * Indexes: post_history, account_listing, placement_time, primary keys.
 */
export function findBetween(
  db: Queryable,
  userId: string,
  section: Section,
  { cursor, to }: { cursor: Position | null; to: Date },
): Promise<Position[]> {
  return db.query<Position>(
    `select id, ${MICROS} from (
       select * from (${BY_HISTORY}) f
       union
       select p.id, p.date from account a join placement l on l.identity_id = a.identity_id
         join target t on t.id = l.target_id join post p on p.id = t.post_id
       where a.user_id = $1 and t.user_id = $1 and l.published_at >= $4 and l.published_at < $6
         and ${isAfter({ time: 'p.date', id: 'p.id' }, 7)}) f
     order by date desc, id desc limit $5`,
    [...sectionValues(userId, section, section.limit), to, cursor?.micros ?? null, cursor?.id ?? null],
  );
}

/** Loads entries in the order of the history. Indexes: primary keys, target_post. */
export function loadEntries(db: Queryable, userId: string, ids: readonly string[]): Promise<FoundEntry[]> {
  return db.query<FoundEntry>(
    `select ${ENTRY}, p.created_at as "createdAt", ${targetsOf()} from post p join media m on m.id = p.media_id
     where p.id = any($1::uuid[]) and p.user_id = $2 order by p.date desc, p.id desc`,
    [ids, userId],
  );
}

/** Whether the user has such an account, connected or not. Index: primary key. */
export async function ownsAccount(db: Queryable, userId: string, accountId: string): Promise<boolean> {
  return (await db.query('select from account where id = $1 and user_id = $2', [accountId, userId])).length > 0;
}
