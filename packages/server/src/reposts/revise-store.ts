/** SQL that revises reposts which have not begun. */
import type { Queryable, Transaction } from '../db/database.ts';
import { contentKey } from '../lineage/content.ts';
import { reopenLeftOut } from '../lineage/firings.ts';
import type { Message } from '../messages/message.ts';
import { storedMessage } from '../messages/stored.ts';
import { appendTimeline } from '../publishing/timeline-store.ts';

interface Held {
  key: string;
  fence: number;
}

/** Ends a revision. @returns false when another worker has the firing. Index: primary key. */
export async function endRevision(tx: Queryable, { key, fence }: Held): Promise<boolean> {
  const done = await tx.execute(
    `update firing set due_at = null, reason = null, lease_until = null, attempts = 0
     where id = $1 and fence = $2 and state = 'reposted'`,
    [key, fence],
  );
  return done > 0;
}

/**
 * Lets a firing wait before its repost is extended.
 * @param until ms since the epoch; null: until its rule is resumed
 * @returns as {@link endRevision}. Index: primary key.
 */
export async function postponeRevision(
  tx: Queryable,
  { key, fence }: Held,
  until: number | null,
  reason: Message,
): Promise<boolean> {
  const done = await tx.execute(
    `update firing set due_at = $3, reason = $4, lease_until = null, attempts = 0
     where id = $1 and fence = $2 and state = 'reposted'`,
    [key, fence, until === null ? null : new Date(until), JSON.stringify(storedMessage(reason))],
  );
  return done > 0;
}

/** What a repost is extended with. */
export interface Repost {
  /** What its text was before the template of its rule; null: its text. */
  contentText: string | null;
  /** Length of its video; null if unknown. */
  durationMs: number | null;
  /** The position after its last target. */
  nextPosition: number;
}

/** Index: primary keys, target_post. */
export async function readRepost(tx: Queryable, postId: string): Promise<Repost> {
  const [row] = await tx.query<Repost>(
    `select p.content_text as "contentText", (m.facts->>'durationMs')::float8 as "durationMs",
       (select coalesce(max(position) + 1, 0) from target where post_id = p.id) as "nextPosition"
     from post p join media m on m.id = p.media_id where p.id = $1`,
    [postId],
  );
  if (!row) throw new Error('The locked post is missing.');
  return row;
}

/** Lets a firing decide again, after its repost was withdrawn. @returns as {@link endRevision}. Index: primary key. */
export async function reopenRepost(tx: Queryable, { key, fence }: Held): Promise<boolean> {
  const done = await tx.execute(
    `update firing set state = 'waiting', post_id = null, reason = null, decided_at = null, due_at = app_now(),
       lease_until = null, attempts = 0
     where id = $1 and fence = $2 and state = 'reposted'`,
    [key, fence],
  );
  return done > 0;
}

/**
 * Deletes a repost that has not begun. Other rules that skipped their reposts because of it decide again. Call it with
 * the lanes locked. @returns when it was counted. Index: primary key.
 */
export async function withdrawPost(tx: Queryable, postId: string): Promise<Date> {
  const [row] = await tx.query<{ created_at: Date }>(
    `with removed as (delete from post where id = $1 returning id, created_at),
     ${reopenLeftOut('removed')}
     select created_at from removed`,
    [postId],
  );
  if (!row) throw new Error('The locked post is missing.');
  return row.created_at;
}

/**
 * Records the text that identifies the content of a repost: that of its source, before the template of its rule.
 * Indexes: primary key, target_post.
 */
export async function setContentText(tx: Queryable, postId: string, text: string): Promise<void> {
  await tx.execute('update post set content_text = $2 where id = $1', [postId, text]);
  await tx.execute('update target set content_key = $2 where post_id = $1 and caption is null', [
    postId,
    contentKey(text),
  ]);
}

/** Whether the user changed the text of a post or a target. Index: target_post, timeline_target. */
export async function hasOwnText(tx: Queryable, postId: string): Promise<boolean> {
  const rows = await tx.query(
    `select from target t where t.post_id = $1 and (t.caption is not null
       or exists (select from timeline l where l.target_id = t.id and l.code = 'description_changed')) limit 1`,
    [postId],
  );
  return rows.length > 0;
}

/** Fails targets that do not take a text. Index: primary key. */
export async function failCaptions(
  tx: Transaction,
  failed: readonly { id: string; problem: Message }[],
): Promise<void> {
  for (const { id, problem } of failed) {
    await tx.execute(
      `update target set state = 'failed', code = 'caption_rejected', detail = $2, due_at = null,
         settled_at = app_now(), trouble = null, version = version + 1
       where id = $1`,
      [id, problem.text],
    );
    await appendTimeline(tx, [id], [{ event: 'failed', message: problem }]);
  }
}
