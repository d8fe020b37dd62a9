/** SQL of repost rules. */
import type { Queryable } from '../db/database.ts';
import { reopenLeftOut } from '../lineage/firings.ts';
import type { RemovedPosts } from '../plans/service.ts';
import type { PrivateDestination } from './options/privacy.ts';
import type { StoredOptions } from './options/rule-options.ts';

export interface RuleAccount {
  id: string;
  platform: string;
  username: string;
  display_name: string;
  avatar: string | null;
  status: string;
}

export interface RuleRow {
  id: string;
  created_at: Date;
  is_paused: boolean;
  /** While paused: posts on the source wait. */
  keeps_posts: boolean;
  options: StoredOptions;
  source: RuleAccount;
  destinations: RuleAccount[];
}

const ACCOUNT = (alias: string) =>
  `json_build_object('id', ${alias}.id, 'platform', ${alias}.platform, 'username', ${alias}.username,
     'display_name', ${alias}.display_name, 'avatar', ${alias}.avatar, 'status', ${alias}.status)`;

/** The ids of the user's rules, newest first. Index: rule_listing. */
export async function listRuleIds(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from rule where user_id = $1 order by created_at desc, id desc',
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** Some of the user's rules, newest first. Indexes: primary keys. */
export function readRules(db: Queryable, userId: string, ids: readonly string[]): Promise<RuleRow[]> {
  return db.query<RuleRow>(
    `select r.id, r.created_at, r.is_paused, r.keeps_posts, r.options, ${ACCOUNT('s')} as source,
       (select coalesce(json_agg(${ACCOUNT('a')} order by d.position), '[]')
        from rule_destination d join account a on a.id = d.account_id where d.rule_id = r.id) as destinations
     from rule r join account s on s.id = r.from_account
     where r.user_id = $1 and r.id = any($2::uuid[]) order by r.created_at desc, r.id desc`,
    [userId, ids],
  );
}

/** The user's accounts with these ids, locked so that none is disconnected concurrently. Index: primary key. */
export function lockAccounts(tx: Queryable, userId: string, ids: readonly string[]): Promise<UsedAccount[]> {
  return tx.query<UsedAccount>(
    `select ${USED_ACCOUNT} from account a where a.user_id = $1 and a.id = any($2::uuid[]) order by a.id for share`,
    [userId, ids],
  );
}

/** An account that a rule uses. */
export interface UsedAccount {
  id: string;
  platform: string;
  username: string;
  status: string;
  sandbox: boolean;
  choiceValues: PrivateDestination['choiceValues'];
}

/** SQL: the columns of {@link UsedAccount} for the account `a`. */
export const USED_ACCOUNT = `a.id, a.platform, a.username, a.status, a.sandbox, a.choice_values as "choiceValues"`;

/** The destinations of a rule. Index: primary keys. */
export function destinationsOf(tx: Queryable, ruleId: string): Promise<UsedAccount[]> {
  return tx.query<UsedAccount>(
    `select ${USED_ACCOUNT} from rule_destination d join account a on a.id = d.account_id where d.rule_id = $1`,
    [ruleId],
  );
}

/** Inserts the rule, its ordered destinations and its first active interval in one statement. */
export async function insertRule(
  tx: Queryable,
  rule: { id: string; userId: string; from: string; to: readonly string[]; options?: StoredOptions },
): Promise<void> {
  await tx.execute(
    `with new_rule as (
       insert into rule (id, user_id, from_account, created_at, options) values ($1, $2, $3, app_now(), $5) returning id
     ), began as (
       insert into rule_interval (rule_id, active_from) select id, app_now() from new_rule
     )
     insert into rule_destination (rule_id, account_id, position)
     select new_rule.id, given.account_id, given.place
     from new_rule, unnest($4::uuid[]) with ordinality as given (account_id, place)`,
    [rule.id, rule.userId, rule.from, rule.to, JSON.stringify(rule.options ?? {})],
  );
}

export interface LockedRule {
  isPaused: boolean;
  /** As in {@link RuleRow}. */
  keepsPosts: boolean;
  /** The source account. */
  from: string;
  options: StoredOptions;
}

/** Locks a rule. Firing locks the same row `for share`. @returns undefined when it does not exist. Index: primary key. */
export async function lockRule(tx: Queryable, userId: string, ruleId: string): Promise<LockedRule | undefined> {
  const [row] = await tx.query<LockedRule>(
    `select is_paused as "isPaused", keeps_posts as "keepsPosts", from_account as "from", options from rule
     where id = $1 and user_id = $2 for update`,
    [ruleId, userId],
  );
  return row;
}

/** Index: primary key. */
export async function ownsRule(db: Queryable, userId: string, ruleId: string): Promise<boolean> {
  return (await db.query('select from rule where id = $1 and user_id = $2', [ruleId, userId])).length > 0;
}

/** Index: primary key. */
export async function setPaused(tx: Queryable, ruleId: string, isPaused: boolean, keepsPosts: boolean): Promise<void> {
  await tx.execute('update rule set is_paused = $2, keeps_posts = $3 where id = $1', [ruleId, isPaused, keepsPosts]);
}

/** Index: primary key. */
export async function setOptions(tx: Queryable, ruleId: string, options: StoredOptions): Promise<void> {
  await tx.execute('update rule set options = $2 where id = $1', [ruleId, JSON.stringify(options)]);
}

/** Ends the open active interval. Index: primary key. */
export async function endInterval(tx: Queryable, ruleId: string): Promise<void> {
  await tx.execute('update rule_interval set active_to = app_now() where rule_id = $1 and active_to is null', [ruleId]);
}

/** Intervals of a rule that are kept. A user can pause and resume without end. */
export const MAX_INTERVALS = 500;

/** Begins an active interval. The oldest above {@link MAX_INTERVALS} are deleted. Index: primary key. */
export async function beginInterval(tx: Queryable, ruleId: string): Promise<void> {
  await tx.execute(
    `with old as (delete from rule_interval where rule_id = $1 and active_from in (
       select active_from from rule_interval where rule_id = $1 order by active_from desc offset $2))
     insert into rule_interval (rule_id, active_from) values ($1, app_now())`,
    [ruleId, MAX_INTERVALS - 1],
  );
}

/**
 * Lets the rule's reposts that wait for the end of its quiet hours start now. Those that started may wait for something
 * else by now, as their last timeline line tells. Indexes: `post_rule`, `target_post`, `timeline_target`.
 * @param lanes locked identities; targets on others are left alone
 * @returns identities whose lanes are due earlier now
 */
export async function endQuietWaits(tx: Queryable, ruleId: string, lanes: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ identity_id: string }>(
    `update target t set due_at = app_now(), version = t.version + 1 from post p
     where p.rule_id = $1 and t.post_id = p.id and t.identity_id = any($2::uuid[]) and t.obeys_quiet_hours and t.due_at > app_now()
       and t.state in ('scheduled', 'waiting')
       and (select l.code from timeline l where l.target_id = t.id order by l.id desc limit 1) = 'quiet_hours'
     returning t.identity_id`,
    [ruleId, lanes],
  );
  return rows.map((row) => row.identity_id);
}

/** Deletes rules with their destinations and intervals. Index: primary key. */
export async function removeRules(tx: Queryable, ruleIds: readonly string[]): Promise<void> {
  await tx.execute('delete from rule where id = any($1::uuid[])', [ruleIds]);
}

/** Identities of the queued reposts of rules. Indexes: `post_rule`, `target_post`. */
export async function queuedIdentities(tx: Queryable, ruleIds: readonly string[]): Promise<string[]> {
  if (ruleIds.length === 0) return [];
  const rows = await tx.query<{ identity_id: string }>(
    `select distinct t.identity_id from post p join target t on t.post_id = p.id
     where p.rule_id = any($1::uuid[]) and t.due_at is not null`,
    [ruleIds],
  );
  return rows.map((row) => row.identity_id);
}

/** Locks the open targets of the reposts of rules, in id order. Indexes: `post_rule`, `target_post`. */
export async function lockQueuedTargets(tx: Queryable, ruleIds: readonly string[]): Promise<void> {
  await tx.execute(
    `select from target t join post p on p.id = t.post_id
     where p.rule_id = any($1::uuid[]) and t.due_at is not null order by t.id for update of t`,
    [ruleIds],
  );
}

/**
 * Deletes the reposts of rules that have not started, with their targets. A target may have failed when it was created.
 * Other rules that skipped their reposts because of these decide again. Indexes: `post_rule`, `target_post`.
 * @returns them by month: there may be thousands
 */
export function removeUnbegun(tx: Queryable, ruleIds: readonly string[]): Promise<RemovedPosts[]> {
  return tx.query<RemovedPosts>(
    `with removed as (
       delete from post p where p.rule_id = any($1::uuid[])
         and exists (select from target t where t.post_id = p.id and t.due_at is not null)
         and not exists (select from target t where t.post_id = p.id
           and (t.state not in ('scheduled', 'failed') or t.begun_at is not null))
       returning p.id, p.created_at),
     ${reopenLeftOut('removed')}
     select min(created_at) as "countedAt", count(*)::integer as posts from removed
     group by date_trunc('month', created_at at time zone 'UTC')`,
    [ruleIds],
  );
}
