/** SQL of firing: creates reposts from rule events. */
import type { Capabilities } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { type DueRows, dueRows } from '../queue/claim.ts';

/** A rule that must act on a posted target. */
export interface RuleEvent {
  id: string;
  kind: string;
  user_id: string;
  payload: { ruleId: string; targetId: string };
}

/** The content to repost. */
export interface Source {
  postId: string;
  originId: string;
  mediaId: string;
  description: string;
  previewTimeMs: number;
}

/** Index: event_due. */
export const dueEvents: DueRows<RuleEvent> = dueRows<RuleEvent>('event');

/** Identities that a rule reposts to. Index: primary keys. */
export async function destinationLanes(tx: Queryable, ruleId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select a.identity_id as id from rule_destination d join account a on a.id = d.account_id where d.rule_id = $1`,
    [ruleId],
  );
  return rows.map((row) => row.id);
}

/** Locks a rule against pauses and deletion. @returns undefined when it was deleted. Index: primary key. */
export async function shareRule(tx: Queryable, ruleId: string): Promise<{ paused: boolean } | undefined> {
  const [row] = await tx.query<{ paused: boolean }>('select is_paused as paused from rule where id = $1 for share', [
    ruleId,
  ]);
  return row;
}

export interface Destination {
  accountId: string;
  identityId: string;
  status: string;
  capabilities: Capabilities;
}

/**
 * Destinations that the content has not reached yet, through us or otherwise. Call it with their lanes locked, so that
 * it sees what other rules wrote. Indexes: primary keys, target_lineage, placement_lineage.
 */
export function openDestinations(tx: Queryable, ruleId: string, originId: string): Promise<Destination[]> {
  return tx.query<Destination>(
    `select a.id as "accountId", a.identity_id as "identityId", a.status, a.capabilities
     from rule_destination d join account a on a.id = d.account_id
     where d.rule_id = $1
       and not exists (select from target t where t.origin_id = $2 and t.identity_id = a.identity_id)
       and not exists (select from placement p where p.origin_id = $2 and p.identity_id = a.identity_id)
     order by d.position for share of a`,
    [ruleId, originId],
  );
}

/** The posted content, while its post exists. Index: primary keys. */
export async function readSource(tx: Queryable, targetId: string): Promise<Source | undefined> {
  const [row] = await tx.query<Source>(
    `select p.id as "postId", t.origin_id as "originId", p.media_id as "mediaId", p.description,
       p.preview_time_ms as "previewTimeMs"
     from target t join post p on p.id = t.post_id where t.id = $1`,
    [targetId],
  );
  return row;
}

/** The copy that a removed post left for rules that still must act on it. Index: primary key. */
export async function readCopy(tx: Queryable, eventId: string): Promise<Source | undefined> {
  const [row] = await tx.query<{ source: Source | null }>(
    `select payload->'source' as source from event where id = $1`,
    [eventId],
  );
  return row?.source ?? undefined;
}

/** @returns false when another worker has the event. Index: primary key. */
export async function finishEvent(tx: Queryable, event: { key: string; fence: number }): Promise<boolean> {
  const done = await tx.execute(
    `update event set done_at = app_now(), due_at = null, lease_until = null where id = $1 and fence = $2
       and done_at is null`,
    [event.key, event.fence],
  );
  return done > 0;
}

/** Shelves an event until its rule is resumed. @returns false when another worker has the event. Index: primary key. */
export async function shelveEvent(tx: Queryable, event: { key: string; fence: number }): Promise<boolean> {
  const done = await tx.execute(
    `update event set due_at = null, lease_until = null, attempts = 0 where id = $1 and fence = $2 and done_at is null`,
    [event.key, event.fence],
  );
  return done > 0;
}

/**
 * Makes events that were shelved while the rule was paused due again. Call it in the transaction that resumes the rule,
 * after locking its row. Index: event_open.
 */
export async function unshelveEvents(tx: Queryable, ruleId: string): Promise<void> {
  await tx.execute(
    `update event set due_at = app_now()
     where kind = 'rule' and done_at is null and due_at is null and payload->>'ruleId' = $1`,
    [ruleId],
  );
}

/** Ends events of deleted rules. @returns number of events. Indexes: event_open, primary key of rule. */
export function finishOrphans(db: Queryable): Promise<number> {
  return db.execute(
    `update event e set done_at = app_now(), due_at = null
     where kind = 'rule' and done_at is null and due_at is null
       and not exists (select from rule r where r.id = (e.payload->>'ruleId')::uuid)`,
  );
}
