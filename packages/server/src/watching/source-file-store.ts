/** SQL of source files: the videos of posts made elsewhere, each fetched once for a user and a fit. */
import type { JsonObject } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { reviseReposts } from '../lineage/firings.ts';
import type { Fit } from '../media/types.ts';
import type { MessageRef } from '../messages/message.ts';
import { storedMessage } from '../messages/stored.ts';
import { type DueRows, dueRows } from '../queue/claim.ts';

export interface SourceFileRow {
  id: string;
  watched_post_id: string;
  user_id: string;
  fit: '' | Fit;
  created_at: Date;
}

/** Index: source_file_due. */
export const dueFiles: DueRows<SourceFileRow> = dueRows<SourceFileRow>('source_file', {
  user: 'user_id',
  service: 'service',
});

/** The post of a file, and the account through which its user can read it. */
export interface FilePost {
  accountId: string;
  status: string;
  sandbox: boolean;
  platform: string;
  service: string;
  identityId: string;
  remoteId: string;
  url: string | null;
  file: JsonObject | null;
  isWanted: boolean;
}

/** SQL condition: a firing waits for the file of a post. @param postId @param userId SQL expressions */
const IS_WANTED = (postId: string, userId: string) =>
  `exists (select from firing f where f.watched_post_id = ${postId} and f.user_id = ${userId} and f.state = 'waiting')`;

/** Indexes: primary keys, unique (user_id, identity_id) of account, firing_watched. */
export async function readFilePost(db: Queryable, { id }: SourceFileRow): Promise<FilePost | undefined> {
  const [row] = await db.query<FilePost>(
    `select a.id as "accountId", a.status, a.sandbox, a.platform, a.service, w.identity_id as "identityId",
       w.remote_id as "remoteId", w.url, w.file,
       ${IS_WANTED('w.id', 's.user_id')} as "isWanted"
     from source_file s join watched_post w on w.id = s.watched_post_id
       join account a on a.user_id = s.user_id and a.identity_id = w.identity_id
     where s.id = $1`,
    [id],
  );
  return row;
}

interface Held {
  key: string;
  fence: number;
  row: SourceFileRow;
}

/** SQL: makes the firings that wait for a file due. */
const WAKE = `update firing set due_at = app_now()
  where watched_post_id = $1 and user_id = $2 and state = 'waiting' and due_at is null`;

/** SQL: notes the length of the file, which outlives it. Indexes: primary keys, placement_remote. */
const MEASURED = `with measured as (
    update watched_post w set duration_ms = (m.facts->>'durationMs')::float8::integer, is_measured = true
    from media m where w.id = $1 and m.id = $2 returning w.identity_id, w.remote_id, w.duration_ms)
  update placement p set duration_ms = measured.duration_ms, is_measured = true from measured
  where p.identity_id = measured.identity_id and p.remote_id = measured.remote_id and p.target_id is null`;

/**
 * Ends a file's row with its stored video. Call it in the transaction that keeps the video.
 * @returns false when another worker has it. Index: primary key.
 */
export async function finishFile(tx: Queryable, { key, fence, row }: Held, mediaId: string): Promise<boolean> {
  const done = await tx.execute(
    `update source_file set state = 'stored', media_id = $3, problem = null, due_at = null, lease_until = null
     where id = $1 and fence = $2 and state = 'wanted' and lease_until is not null`,
    [key, fence, mediaId],
  );
  if (done === 0) return false;
  await tx.execute(MEASURED, [row.watched_post_id, mediaId]);
  await tx.execute(WAKE, [row.watched_post_id, row.user_id]);
  return true;
}

/**
 * Ends a file's row without a video, in a transaction: otherwise a firing could wait for a file that has failed. Firings
 * that waited for it are skipped with the problem; whether it holds for later ones too is decided by `canDownloadAgain`
 * of reposts/decide.ts. Indexes: primary key, firing_watched.
 */
export async function failFile(tx: Queryable, { key, fence, row }: Held, problem: MessageRef): Promise<void> {
  const done = await tx.execute(
    `update source_file set state = 'failed', problem = $3, due_at = null, lease_until = null
     where id = $1 and fence = $2 and state = 'wanted'`,
    [key, fence, JSON.stringify(storedMessage(problem))],
  );
  if (done > 0) await tx.execute(WAKE, [row.watched_post_id, row.user_id]);
}

/**
 * Deletes a file's row that no firing waits for. What asks for a file locks its row, so the second statement sees the
 * firing, or the row is made again. @returns false if a firing waits for it. Indexes: primary key, firing_watched.
 */
export async function dropUnwanted(tx: Queryable, { key, fence, row }: Held): Promise<boolean> {
  const held = await tx.query(`select from source_file where id = $1 and fence = $2 and state = 'wanted' for update`, [
    key,
    fence,
  ]);
  const dropped = await tx.execute(
    `delete from source_file where id = $1 and fence = $2 and state = 'wanted' and not ${IS_WANTED('$3', '$4')}`,
    [key, fence, row.watched_post_id, row.user_id],
  );
  return dropped === held.length;
}

/** Records why a file is fetched again later. Index: primary key. */
export async function noteFileProblem(db: Queryable, { key, fence }: Held, problem: MessageRef): Promise<void> {
  await db.execute('update source_file set problem = $3 where id = $1 and fence = $2', [
    key,
    fence,
    JSON.stringify(storedMessage(problem)),
  ]);
}

/** Records that a post no longer exists at the platform. Index: primary key. */
export async function markGone(tx: Queryable, watchedPostId: string): Promise<void> {
  await tx.execute('update watched_post set gone_at = coalesce(gone_at, app_now()) where id = $1', [watchedPostId]);
  await reviseReposts(tx, [watchedPostId]);
}
