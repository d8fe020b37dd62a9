/** SQL of firing: a rule's decisions about content. */
import type { Capabilities } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { HAS_CONTENT } from '../lineage/occupancy.ts';
import type { Message, MessageRef } from '../messages/message.ts';
import { storedMessage } from '../messages/stored.ts';
import { type DueRows, dueRows } from '../queue/claim.ts';
import type { Ahead } from './decide.ts';
import type { StoredOptions } from './options/rule-options.ts';

/** A rule's decision about one piece of content, which is due. One that made a repost is due to revise it. */
export interface FiringRow {
  id: string;
  rule_id: string;
  user_id: string;
  origin_id: string;
  /** Set for content posted through us; `watched_post_id` is set for other content. */
  target_id: string | null;
  watched_post_id: string | null;
  /** Why it waits, or was skipped before it was due again. */
  reason: MessageRef | null;
  state: 'waiting' | 'reposted' | 'skipped';
  /** The repost that was made. */
  post_id: string | null;
  by_hand: boolean;
  is_catalog: boolean;
  chance: number;
  /** When it first waited for the daily limit. */
  limited_at: Date | null;
  created_at: Date;
}

/** Index: firing_due. */
export const dueFirings: DueRows<FiringRow> = dueRows<FiringRow>('firing', { user: 'user_id' });

/** One firing of a rule, with its state. Index: primary key. */
export async function findFiring(tx: Queryable, ruleId: string, id: string): Promise<FiringRow | undefined> {
  const [row] = await tx.query<FiringRow>('select * from firing where id = $1 and rule_id = $2 for update', [
    id,
    ruleId,
  ]);
  return row;
}

/** The present origin of what a firing is about. Indexes: primary keys. */
export async function originOf(tx: Queryable, id: string): Promise<string> {
  const [row] = await tx.query<{ originId: string }>(
    `select coalesce(w.origin_id, t.origin_id, f.origin_id) as "originId" from firing f
       left join watched_post w on w.id = f.watched_post_id left join target t on t.id = f.target_id where f.id = $1`,
    [id],
  );
  if (!row) throw new Error('The firing was deleted.');
  return row.originId;
}

/**
 * Makes a firing due because its user asks for it. A worker that holds it loses it, so that it cannot postpone it again.
 * @returns false if it was reposted. Index: primary key.
 */
export async function releaseByHand(tx: Queryable, id: string): Promise<boolean> {
  const done = await tx.execute(
    `update firing set state = 'waiting', by_hand = true, reason = null, decided_at = null, due_at = app_now(),
       lease_until = null, fence = fence + 1, attempts = 0
     where id = $1 and state <> 'reposted'`,
    [id],
  );
  return done > 0;
}

/** SQL: the identities that a rule `$1` reposts to. */
const DESTINATIONS =
  'select a.identity_id as id from rule_destination d join account a on a.id = d.account_id where d.rule_id = $1';

/** Identities that a rule reposts to. Index: primary keys. */
export async function destinationLanes(tx: Queryable, ruleId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(DESTINATIONS, [ruleId]);
  return rows.map((row) => row.id);
}

/** Locks the lanes that a rule reposts to, by id. Lock order: before the rule. Indexes: primary keys. */
export async function lockDestinations(tx: Queryable, ruleId: string): Promise<void> {
  await tx.query(`select 1 from lane where identity_id in (${DESTINATIONS}) order by identity_id for update`, [ruleId]);
}

/** Locks a rule against pauses and deletion. @returns undefined when it was deleted. Index: primary key. */
export async function shareRule(
  tx: Queryable,
  ruleId: string,
): Promise<{ paused: boolean; options: StoredOptions; now: Date } | undefined> {
  const [row] = await tx.query<{ paused: boolean; options: StoredOptions; now: Date }>(
    'select is_paused as paused, options, app_now() as now from rule where id = $1 for share',
    [ruleId],
  );
  return row;
}

/** Items with these reasons have no place in line yet. */
const BEFORE_LINE = ['rule_paused', 'file_fetching'];

/** Whether items after a firing wait for a later day because of it. */
export const isInLine = ({ limited_at, reason }: Pick<FiringRow, 'limited_at' | 'reason'>): boolean =>
  limited_at !== null || reason === null || BEFORE_LINE.includes(reason.code);

/**
 * Firings of a rule that has a limit wait for each other here, so that they do not pass it together. Lock order: after the
 * rule.
 */
export async function lockLimit(tx: Queryable, ruleId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [LIMIT_LOCK, ruleId]);
}

/** What a rule with a daily limit has done today, and what waits. */
export interface Today {
  /** Its reposts since the day began. */
  count: number;
  /** Its items that are older than a firing. */
  ahead: Ahead;
  /** Whether items wait for a later day. */
  hasLater: boolean;
}

export const NOTHING_TODAY: Today = { count: 0, hasLater: false, ahead: { limited: 0, inLine: 0 } };

/** SQL condition: a firing of the rule `$1` waits for a later day. */
const WAITS_FOR_DAY = `rule_id = $1 and state = 'waiting' and reason->>'code' = 'rule_daily_limit' and due_at > app_now()`;

const MOMENT_OF = (firing: string) =>
  `coalesce((select w.published_at from watched_post w where w.id = ${firing}.watched_post_id), ${firing}.created_at)`;

const READ_TODAY = `select done.count, line."inLine", line.limited, exists (select from firing where ${WAITS_FOR_DAY}) as "hasLater"
  from (select count(*)::integer as count from firing
      where rule_id = $1 and state = 'reposted' and not by_hand and not is_catalog and decided_at >= $4) done,
    (select count(*)::integer as "inLine", count(f.limited_at)::integer as limited from firing f left join firing me on me.id = $2
      where f.rule_id = $1 and f.state = 'waiting' and not f.by_hand and not f.is_catalog
        and (f.limited_at is not null or f.reason is null or f.reason->>'code' = any($3))
        and (me.id is null or (${MOMENT_OF('f')}, f.id) < (${MOMENT_OF('me')}, me.id))) line`;

/**
 * Counts the reposts of a rule since the day began, and its items that wait for its daily limit, or have no place in line
 * yet. To decide, call it after {@link lockLimit}. Indexes: firing_reposted, firing_waiting.
 * @param since in ms since the epoch @param firingId only older items are ahead; null: all of them
 */
export async function readToday(
  db: Queryable,
  { ruleId, firingId, since }: { ruleId: string; firingId: string | null; since: number },
): Promise<Today> {
  const values = [ruleId, firingId, BEFORE_LINE, new Date(since)];
  const [row] = await db.query<Omit<Today, 'ahead'> & Ahead>(READ_TODAY, values);
  if (!row) return NOTHING_TODAY;
  const { count, hasLater, limited, inLine } = row;
  return { count, hasLater, ahead: { limited, inLine } };
}

/**
 * Moves up what waits for a rule's daily limit, after an item left the line without a repost that counts: each takes the
 * time of the one before it, and the first is due now. Otherwise the day of that item would stay unused. Items that are
 * found late can wait longer than newer ones, so that all are moved: one that is due too early waits again. Index:
 * firing_waiting.
 */
export async function moveUpLimited(tx: Queryable, ruleId: string): Promise<void> {
  await lockLimit(tx, ruleId);
  await tx.execute(
    `update firing f set due_at = earlier.at,
       reason = jsonb_set(f.reason, '{params,untilAt}', to_jsonb(floor(extract(epoch from earlier.at) * 1000)::bigint))
     from (select id, lag(due_at, 1, app_now()) over (order by due_at, id) as at from firing
       where ${WAITS_FOR_DAY}) earlier
     where f.id = earlier.id`,
    [ruleId],
  );
}

/**
 * When the rule last reposted something from the back catalog, in ms since the epoch (null: never), and whether a firing
 * is the next of those that wait. Indexes: firing_reposted, firing_catalog.
 */
export async function turnOfCatalog(
  tx: Queryable,
  { id, rule_id: ruleId }: FiringRow,
): Promise<{ lastAt: number | null; isNext: boolean }> {
  await lockLimit(tx, ruleId);
  const [row] = await tx.query<{ at: Date | null; next: string | null }>(
    `select (select max(decided_at) from firing where rule_id = $1 and state = 'reposted' and is_catalog) as at,
       (${NEXT_OF_CATALOG}) as next`,
    [ruleId],
  );
  return { lastAt: row?.at?.getTime() ?? null, isNext: row?.next === id };
}

const NEXT_OF_CATALOG = `select id from firing where rule_id = $1 and is_catalog and state = 'waiting'
  order by created_at, id limit 1`;

/** Lets the next item of the back catalog have its turn. Index: firing_catalog. */
export async function wakeCatalog(tx: Queryable, ruleId: string): Promise<void> {
  await tx.execute(`update firing set due_at = app_now() where due_at is null and id = (${NEXT_OF_CATALOG})`, [ruleId]);
}

/** An arbitrary unique number. */
const LIMIT_LOCK = 7_305_013;

export interface Destination {
  accountId: string;
  identityId: string;
  username: string;
  platform: string;
  /** The account's server if its user named one; otherwise "". */
  service: string;
  status: string;
  capabilities: Capabilities;
}

/**
 * Destinations that the content has not reached yet, through us or otherwise. Call it with their lanes locked, so that
 * it sees what other rules wrote. Indexes: primary keys, target_lineage, placement_lineage.
 */
export function openDestinations(tx: Queryable, ruleId: string, originId: string): Promise<Destination[]> {
  return tx.query<Destination>(
    `select a.id as "accountId", a.identity_id as "identityId", a.username, a.platform, a.service, a.status, a.capabilities
     from rule_destination d join account a on a.id = d.account_id
     where d.rule_id = $1
       and not ${HAS_CONTENT('$2', 'a.identity_id')}
     order by d.position for share of a`,
    [ruleId, originId],
  );
}

/** The final outcome of a firing. */
export type Outcome = { state: 'reposted'; postId: string } | { state: 'skipped'; reason: MessageRef };

/** Ends a firing. @returns false when another worker has it. Index: primary key. */
export async function finishFiring(
  tx: Queryable,
  firing: { key: string; fence: number },
  outcome: Outcome,
): Promise<boolean> {
  const done = await tx.execute(
    `update firing set state = $3, post_id = $4, reason = $5, copy = null, decided_at = app_now(), due_at = null,
       limited_at = null, lease_until = null
     where id = $1 and fence = $2 and state = 'waiting'`,
    [
      firing.key,
      firing.fence,
      outcome.state,
      outcome.state === 'reposted' ? outcome.postId : null,
      outcome.state === 'skipped' ? JSON.stringify(storedMessage(outcome.reason)) : null,
    ],
  );
  return done > 0;
}

/**
 * Lets a firing wait.
 * @param until ms since the epoch; null: until its rule is resumed or its file is there
 * @returns false when another worker has it. Index: primary key.
 */
export async function postponeFiring(
  tx: Queryable,
  firing: { key: string; fence: number },
  until: number | null,
  reason: Message,
): Promise<boolean> {
  const done = await tx.execute(
    `update firing set due_at = $3, reason = $4, lease_until = null, attempts = 0,
       limited_at = case when $4::jsonb->>'code' = 'rule_daily_limit' then coalesce(limited_at, app_now()) else limited_at end
     where id = $1 and fence = $2 and state = 'waiting'`,
    [firing.key, firing.fence, until === null ? null : new Date(until), JSON.stringify(storedMessage(reason))],
  );
  return done > 0;
}

/**
 * Makes firings that waited for the rule due again, also those whose reposts are to be extended. The pause does not count
 * as waiting for the daily limit. Call it in the transaction that resumes the rule, after locking its row. Indexes:
 * firing_waiting, firing_reposted.
 */
export async function wakeFirings(tx: Queryable, ruleId: string): Promise<void> {
  await tx.execute(
    `update firing set due_at = app_now(), limited_at = case when limited_at is not null then app_now() end
     where rule_id = $1 and due_at is null and (state = 'waiting' or state = 'reposted' and reason is not null)`,
    [ruleId],
  );
}

/**
 * Makes all waiting firings of a rule due, so that they are decided by its new options. Call it after locking the rule's
 * row. Index: firing_waiting.
 */
export async function reconsiderFirings(tx: Queryable, ruleId: string): Promise<void> {
  await tx.execute(
    `update firing set due_at = app_now()
     where rule_id = $1 and state = 'waiting' and (due_at is null or due_at > app_now())`,
    [ruleId],
  );
}
