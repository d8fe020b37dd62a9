/**
 * Records what rules must decide about new content. A firing is one rule's decision about one piece of content; the
 * database keeps them unique.
 */
import type { Queryable, Transaction } from '../db/database.ts';
import { listParameter } from '../db/list-parameter.ts';
import { OCCUPIES } from './occupancy.ts';

/** Platforms report whole seconds or have wrong clocks. `greatest` and `least` ignore null. */
const MOMENT = 'least(greatest(t.published_at, t.committed_at), app_now())';

/**
 * Days after which content adds no firing. A decision is kept for 90 days, so nobody knows later whether a rule has
 * decided already.
 */
export const FIRING_DAYS = 89;

/** SQL condition: the rule `r` was active at a moment. @param moment SQL expression */
const isActiveAt = (moment: string) => `exists (select from rule_interval i where i.rule_id = r.id
  and i.active_from <= ${moment} and (i.active_to is null or i.active_to > ${moment}))`;

/** Posts that wait for the end of a pause that keeps them. Later ones are skipped, so that the backlog has an end. */
export const MAX_KEPT = 200;

/**
 * SQL condition: the rule `r` has no pause that keeps posts, or room for one more. Selected older posts do not count.
 * Index: firing_waiting.
 */
const HAS_ROOM = `(not r.keeps_posts or ${MAX_KEPT} > (select count(*) from (
    select from firing f where f.rule_id = r.id and f.state = 'waiting' and not f.is_catalog limit ${MAX_KEPT}) waiting))`;

const WHILE_PAUSED = `'{"code": "posted_while_paused", "params": {}}'::jsonb`;

/**
 * SQL statement that adds firings. They are due if the rule was active at the content's moment, and skipped if it was
 * paused without keeping posts. Rules that were added later ignore the content, and all rules ignore old content.
 * `offset 0` decides once for each rule whether it was active, not once for each use.
 * @param columns names and expressions of the content's columns
 * @param from joins the content with its rules `r` and the moment as `moment.at`
 */
const addSql = (columns: Readonly<Record<string, string>>, from: string) => `
  insert into firing (rule_id, user_id, ${Object.keys(columns).join(', ')}, state, reason, decided_at, due_at)
  select r.id, r.user_id, ${Object.values(columns).join(', ')},
    case when active then 'waiting' else 'skipped' end, case when not active then ${WHILE_PAUSED} end,
    case when not active then app_now() end, case when active then app_now() end
  from ${from} cross join lateral (select ${isActiveAt('moment.at')} and ${HAS_ROOM} as active offset 0) found
  where (active or moment.at >= r.created_at) and moment.at > app_now() - ${FIRING_DAYS} * interval '1 day'
  on conflict (rule_id, origin_id) do nothing`;

const ADD_OF_TARGET = addSql(
  { origin_id: 't.origin_id', target_id: 't.id' },
  `target t join rule r on t.id = $1 and r.id = any(${listParameter('$2')}) cross join lateral (select ${MOMENT} as at) moment`,
);

/**
 * Adds one firing for each rule of the source account whose target was posted. Its moment is the platform's publish
 * time, but not before our send and not in the future. Rules are locked first, so a concurrent pause comes entirely
 * before or after. A later statement reads the intervals and sees that pause. Index: rule_source.
 */
export async function addFirings(tx: Transaction, targetId: string): Promise<void> {
  const rules = await tx.query<{ id: string }>(
    `select r.id from rule r join target t on t.account_id = r.from_account where t.id = $1 order by r.id for share of r`,
    [targetId],
  );
  if (rules.length > 0) await tx.execute(ADD_OF_TARGET, [targetId, rules.map((rule) => rule.id)]);
}

const ADD_OF_WATCHED = addSql(
  { origin_id: 'w.origin_id', watched_post_id: 'w.id' },
  `watched_post w join rule r on w.id = $1 and r.id = any(${listParameter('$2')})
     cross join lateral (select least(w.published_at, app_now()) as at) moment`,
);

/**
 * Adds one firing for each rule of the source whose watched post was made elsewhere. If a user posted it through us,
 * that user's rules already decide about the target.
 * @param ownerId that user; null if nobody posted it through us. Indexes: account_identity, rule_source.
 */
export async function addFiringsOfWatched(
  tx: Transaction,
  watchedPostId: string,
  ownerId: string | null,
): Promise<void> {
  const rules = await tx.query<{ id: string }>(
    `select r.id from watched_post w join account a on a.identity_id = w.identity_id
       join rule r on r.from_account = a.id
     where w.id = $1 and r.user_id is distinct from $2 order by r.id for share of r`,
    [watchedPostId, ownerId],
  );
  if (rules.length > 0) await tx.execute(ADD_OF_WATCHED, [watchedPostId, rules.map((rule) => rule.id)]);
}

/** SQL: the firings `f` of rules to the account of a target `t`, about its content. */
const TO_ACCOUNT_OF_TARGET = `join account a on a.identity_id = t.identity_id
  join rule_destination d on d.account_id = a.id
  join firing f on f.rule_id = d.rule_id and f.origin_id = t.origin_id`;

/**
 * SQL condition: a firing `f` left the account of a target `t` out, because of what that account had or would have. It
 * reposted to the others, if it had others.
 */
const LEFT_OUT = `(f.state = 'skipped' and f.reason->>'code' in ('already_there', 'echo')
  or f.state = 'reposted' and not exists (select from target o where o.post_id = f.post_id and o.identity_id = t.identity_id))`;

/** SQL: makes firings due again. @param firing the table, perhaps with an alias */
const reopen = (firing: string) => `update ${firing}
  set state = 'waiting', reason = null, decided_at = null, due_at = app_now(), attempts = 0`;

/** SQL: makes the firings due that {@link LEFT_OUT} an account. A repost stays, and is extended: see reposts/extend.ts. */
const REOPEN_LEFT_OUT = `update firing set state = case state when 'reposted' then state else 'waiting' end,
    decided_at = case state when 'reposted' then decided_at end, reason = null, due_at = app_now(), attempts = 0
  where id in (select id from to_reopen)`;

/**
 * SQL of two common table expressions: firings that left accounts out because of queued targets become due again. Use it
 * in the statement that deletes the targets' posts, with the lanes of the targets locked. Firings of the same destination
 * wait for the lane, so each of them sees the targets or is reopened. Nothing is reopened for a send that may have had
 * an effect. Indexes: target_post, account_identity, rule_destination_account, unique key of firing.
 * @param posts name of a table of deleted posts
 */
export const reopenLeftOut = (posts: string) => `
  to_reopen as (
    select f.id from ${posts} p join target t on t.post_id = p.id ${TO_ACCOUNT_OF_TARGET}
    where t.due_at is not null and t.begun_at is null and not t.unproven and ${LEFT_OUT}
    order by f.id for update of f),
  reopened as (${REOPEN_LEFT_OUT})`;

/**
 * Lets rules decide again that left accounts out because of targets which have failed since and are nowhere. Call it in
 * the transaction that fails them, with their lanes locked in an earlier statement: a firing of the same destination
 * waits for the lane, so it sees the failed target or is reopened. Indexes: as {@link reopenLeftOut}.
 */
export async function reopenAfterFailure(tx: Transaction, targetIds: readonly string[]): Promise<void> {
  await tx.execute(
    `with to_reopen as (
       select f.id from target t ${TO_ACCOUNT_OF_TARGET}
       where t.id = any($1::uuid[]) and not ${OCCUPIES('t')} and ${LEFT_OUT} order by f.id for update of f)
     ${REOPEN_LEFT_OUT}`,
    [targetIds],
  );
}

/**
 * SQL condition: a firing `f` was skipped because its found post `w` on an identity `d` was private, and it is public now.
 * Indexes: identity_watch, unique key of watched_post, firing_private.
 * @param watch parameter with the watch @param remoteIds parameter with the posts that a check listed as public
 */
export const skippedAsPrivate = (watch: string, remoteIds: string): string => `
  d.watch_id = ${watch} and w.identity_id = d.id and w.remote_id = any(${listParameter(remoteIds, 'text')})
    and w.is_public and w.public_in_time
    and f.watched_post_id = w.id and f.state = 'skipped' and f.reason->>'code' = 'source_private'`;

/**
 * Makes firings due again that were skipped because a found post was private, if it is public now. A check repeats it for
 * the posts of two days, so a decision that is made at the same time is reopened by the next one.
 * @param remoteIds posts that the check listed as public
 */
export async function reopenPublic(tx: Queryable, watchId: string, remoteIds: readonly string[]): Promise<void> {
  await tx.execute(`${reopen('firing f')} from identity d, watched_post w where ${skippedAsPrivate('$1', '$2')}`, [
    watchId,
    remoteIds,
  ]);
}

/** SQL: the firings `f` about found posts `w`, of rules whose source has the post. */
const OF_FOUND = `watched_post w join account a on a.identity_id = w.identity_id join rule r on r.from_account = a.id
  join firing f on f.rule_id = r.id and f.origin_id = w.origin_id`;

/**
 * Lets rules decide again about posts that were gone and have returned. What is known of their files is forgotten.
 * Indexes: primary key, account_identity, rule_source, unique keys of firing and source_file.
 */
export async function reopenGone(tx: Queryable, watchedPostIds: readonly string[]): Promise<void> {
  if (watchedPostIds.length === 0) return;
  await tx.execute(
    `delete from source_file where watched_post_id = any($1::uuid[]) and state = 'failed' and problem->>'code' = 'gone'`,
    [watchedPostIds],
  );
  await tx.execute(
    `with to_reopen as (
       select f.id from ${OF_FOUND}
       where w.id = any($1::uuid[]) and f.state = 'skipped' and f.reason->>'code' = 'gone' order by f.id for update of f)
     ${reopen('firing')} where id in (select id from to_reopen)`,
    [watchedPostIds],
  );
}

/**
 * Makes reposts due that have not begun, because their source posts were changed or removed: see reposts/revise.ts. Call
 * it in the transaction that records the change. A firing locks its found post, so it has read the change, or its repost
 * is seen here. Indexes: as {@link reopenGone}, target_post.
 */
export async function reviseReposts(tx: Queryable, watchedPostIds: readonly string[]): Promise<void> {
  if (watchedPostIds.length === 0) return;
  await tx.execute(
    `with to_revise as (
       select f.id from ${OF_FOUND}
       where w.id = any($1::uuid[]) and f.state = 'reposted'
         and exists (select from target t where t.post_id = f.post_id and t.due_at is not null and t.begun_at is null)
       order by f.id for update of f)
     update firing set due_at = app_now(), attempts = 0 where id in (select id from to_revise)`,
    [watchedPostIds],
  );
}
