/**
 * Rows of renditions. A row is there before its file; whoever deletes the row leaves the file to the loop that removes
 * files (by a trigger), so nothing that is made is ever forgotten.
 */
import type { Database, Queryable } from '../db/database.ts';
import { type Claim, type DueRows, dueRows } from '../due/claim.ts';
import type { RenditionSpec } from '../media/rendition/plan.ts';
import type { VideoFacts } from '../media/types.ts';
import { NEEDED_BY_RULE } from '../posts/media-store.ts';
import { lockLanes } from '../publishing/lanes.ts';

export type RenditionState = 'making' | 'stored' | 'failed';

/** A row as it is claimed. */
export interface RenditionRow {
  id: string;
  media_id: string;
  spec: RenditionSpec;
  storage_key: string;
  state: RenditionState;
}

/** Index: rendition_due. Not claimed by this: see {@link claimRenditions}. */
export const dueRenditions: Omit<DueRows<RenditionRow>, 'claim' | 'take'> = dueRows<RenditionRow>('rendition');

/**
 * Claims due renditions, users in turn: first of those for whom the fewest are being made (by any node), longest due first.
 * A user with a hundred videos delays another user's first one by one rendition per core at most. Indexes: rendition_due,
 * primary keys.
 */
export async function claimRenditions(
  db: Queryable,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<Claim<RenditionRow>[]> {
  const rows = await db.query<RenditionRow & { fence: number; attempts: number }>(
    `with waiting as materialized (
       select r.id, r.due_at, r.lease_until, m.user_id from rendition r join media m on m.id = r.media_id
       where r.due_at is not null),
     made as (
       select user_id, count(*) as renditions from waiting where lease_until > app_now() group by user_id),
     turns as (
       select w.id, w.due_at, coalesce(made.renditions, 0)
         + row_number() over (partition by w.user_id order by w.due_at, w.id) as turn
       from waiting w left join made on made.user_id = w.user_id where w.due_at <= app_now() and (w.lease_until is null or w.lease_until <= app_now())),
     due as materialized (
       select r.id from turns t join rendition r on r.id = t.id
       where r.due_at <= app_now() and (r.lease_until is null or r.lease_until <= app_now())
       order by t.turn, t.due_at, t.id limit $1 for update of r skip locked)
     update rendition r set lease_until = app_now() + $2::float8 * interval '1 ms', fence = r.fence + 1,
       attempts = r.attempts + 1
     from due where r.id = due.id returning r.*`,
    [limit, leaseMs],
  );
  return rows.map((row) => ({ key: row.id, fence: row.fence, attempts: row.attempts, row }));
}

export interface WantedRendition {
  /** As `specKey` makes it. */
  key: string;
  spec: RenditionSpec;
}

/**
 * Orders what is not there yet; what is there, or being made, is shared. Index: rendition_media_id_spec_key_key.
 * @returns the id of the one with this key
 */
export async function orderRendition(db: Queryable, mediaId: string, { key, spec }: WantedRendition): Promise<string> {
  // An update that changes nothing: so that the row of another is answered too, and cannot go away meanwhile.
  const [row] = await db.query<{ id: string }>(
    `insert into rendition (media_id, spec_key, spec, storage_key) values ($1, $2, $3, 'renditions/' || uuid_v7())
     on conflict (media_id, spec_key) do update set spec_key = excluded.spec_key returning id`,
    [mediaId, key, JSON.stringify(spec)],
  );
  if (!row) throw new Error('A rendition that was just ordered is not there.');
  return row.id;
}

/** Those of failed targets that are tried again are tried again as well. Index: primary key. */
export async function reorderFailed(tx: Queryable, targetIds: readonly string[]): Promise<void> {
  await tx.execute(
    `update rendition set state = 'making', detail = null, progress = 0, attempts = 0, due_at = app_now()
     where state = 'failed' and id in (select rendition_id from target where id = any($1::uuid[]))`,
    [targetIds],
  );
}

export interface SourceVideo {
  storageKey: string;
  facts: VideoFacts;
}

/** The video that it is made of; undefined: it is gone. Index: primary key. */
export async function readSourceVideo(db: Queryable, mediaId: string): Promise<SourceVideo | undefined> {
  const [row] = await db.query<SourceVideo>(
    `select storage_key as "storageKey", facts from media where id = $1 and state = 'stored'`,
    [mediaId],
  );
  return row;
}

interface Held {
  key: string;
  fence: number;
}

/** @returns false when it is another worker's by now, or nobody needs it any more. Index: primary key. */
export async function noteProgress(db: Queryable, { key, fence }: Held, progress: number): Promise<boolean> {
  const sql = 'update rendition set progress = $3 where id = $1 and fence = $2';
  return (await db.execute(sql, [key, fence, progress])) > 0;
}

export interface MadeFile {
  sha256: string;
  facts: VideoFacts;
}

/** It is in the storage. @returns false when the row is another's or gone: the file is not needed. Index: primary key. */
export async function finishRendition(db: Queryable, { key, fence }: Held, made: MadeFile): Promise<boolean> {
  const done = await db.execute(
    `update rendition set state = 'stored', progress = 1, detail = null, bytes = $3, sha256 = decode($4, 'hex'), facts = $5,
       due_at = null, lease_until = null
     where id = $1 and fence = $2`,
    [key, fence, made.facts.bytes, made.sha256, JSON.stringify(made.facts)],
  );
  return done > 0;
}

/** It can never be made. Index: primary key. */
export async function failRendition(db: Queryable, { key, fence }: Held, detail: string): Promise<void> {
  await db.execute(
    `update rendition set state = 'failed', detail = $3, due_at = null, lease_until = null where id = $1 and fence = $2`,
    [key, fence, detail],
  );
}

/**
 * Makes the targets that wait for a rendition due now: it is there, or cannot be made. Targets check by themselves as well,
 * at pauses that grow. Their version grows, so that a worker that is about to write another pause writes nothing.
 * Indexes: target_rendition, primary keys.
 */
export async function wakeWaiting(db: Database, renditionId: string): Promise<void> {
  const waiting = `rendition_id = $1 and state = 'waiting' and due_at > app_now()`;
  await db.transaction(async (tx) => {
    const lanes = await tx.query<{ id: string }>(`select identity_id as id from target where ${waiting}`, [
      renditionId,
    ]);
    if (lanes.length === 0) return;
    const ids = lanes.map(({ id }) => id);
    await lockLanes(tx, ids);
    await tx.execute(
      `update target set due_at = app_now(), version = version + 1 where ${waiting} and identity_id = any($2::uuid[])`,
      [renditionId, ids],
    );
    await tx.execute(
      'update lane set next_due_at = least(next_due_at, app_now()) where identity_id = any($1::uuid[])',
      [ids],
    );
  });
}

/** A line in the timeline of every open target that waits for it. Index: target_rendition. */
export async function tellWaiting(db: Queryable, renditionId: string, text: string): Promise<void> {
  await db.execute(
    `insert into timeline (target_id, event, text)
     select id, 'rendition', $2 from target where rendition_id = $1 and due_at is not null`,
    [renditionId, text],
  );
}

/**
 * Forgets renditions that no open target needs and no rule will need. A new one is left alone for a while: the post that
 * ordered it may be about to be written. @returns how many. Indexes: target_rendition, event_open.
 */
export async function sweepRenditions(db: Queryable): Promise<number> {
  return db.execute(
    `delete from rendition r using media m where m.id = r.media_id and r.created_at < app_now() - interval '5 minutes'
       and not exists (select from target t where t.rendition_id = r.id and t.due_at is not null)
       and not ${NEEDED_BY_RULE}`,
  );
}
