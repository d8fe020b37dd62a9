/**
 * SQL of uploads, one statement per function. Lease and fencing token identify the writer; an older token changes
 * nothing.
 */
import type { Queryable } from '../db/database.ts';
import { DAY } from '../lib/time.ts';
import type { Claim, Upload } from './types.ts';

/** An upload expires this long after its last change, in ms. */
const RETENTION_MS = DAY;
const KEPT = `app_now() + interval '${RETENTION_MS} ms'`;
/** The upload of a draft is kept this long after the draft was saved, in days. Renewed at most once a day. */
const DRAFT_DAYS = 30;

/** Queues the files of deleted uploads (`gone`) for removal. */
const GONE_FILES = `insert into file_removal (storage_key)
  select 'uploads/' || id || '.' || file from gone where used_at is null on conflict do nothing`;

/** Storage key of an upload's file. */
export function uploadKey(id: string, file: number): string {
  return `uploads/${id}.${file}`;
}

interface UploadRow {
  id: string;
  bytes: number;
  durable: number;
  metadata: string | null;
  expires_at: Date;
  sha256: Buffer | null;
  post_id: string | null;
  file: number;
}

const COLUMNS = 'u.id, u.bytes, u.durable, u.metadata, u.expires_at, u.sha256, u.post_id, u.file';

function uploadOf(row: UploadRow): Upload {
  const { id, bytes, durable, metadata, file } = row;
  const sha256 = row.sha256?.toString('hex') ?? null;
  return { id, bytes, durable, metadata, file, sha256, expiresAt: row.expires_at, postId: row.post_id };
}

/**
 * A user's uploads that no post has used, finished or not, oldest first. Their size includes that of their previews.
 * Indexes: upload_user, rendition_upload_id_spec_key_key.
 */
export async function listUnused(tx: Queryable, userId: string): Promise<{ id: string; bytes: number }[]> {
  return tx.query<{ id: string; bytes: number }>(
    `select u.id, (u.bytes + coalesce((select sum(r.bytes) from rendition r where r.upload_id = u.id), 0))::bigint as bytes
     from upload u where u.user_id = $1 and u.used_at is null and u.expires_at > app_now() order by u.id`,
    [userId],
  );
}

/** Deletes a user's unfinished uploads without activity for `idleMs` and queues their files for removal. */
export async function forgetIdle(tx: Queryable, userId: string, idleMs: number): Promise<void> {
  await tx.execute(
    `with gone as (delete from upload
       where user_id = $1 and sha256 is null and expires_at <= ${KEPT} - $2::float8 * interval '1 ms'
         and (lease_until is null or lease_until <= app_now())
       returning id, file, used_at)
     ${GONE_FILES}`,
    [userId, idleMs],
  );
}

export interface NewUpload {
  id: string;
  userId: string;
  bytes: number;
  metadata: string | null;
  filename: string | null;
  /** In hexadecimal. */
  sha256: string | null;
}

export async function insertUpload(tx: Queryable, upload: NewUpload): Promise<Date> {
  const { id, userId, bytes, metadata, filename, sha256 } = upload;
  const [row] = await tx.query<{ expires_at: Date }>(
    `insert into upload (id, user_id, bytes, metadata, filename, announced_sha256, expires_at)
     values ($1, $2, $3, $4, $5, decode($6, 'hex'), ${KEPT}) returning expires_at`,
    [id, userId, bytes, metadata, filename, sha256],
  );
  return row?.expires_at ?? new Date(0);
}

/** Includes whether a request is writing to it. Index: primary key. */
export async function findUpload(
  db: Queryable,
  userId: string,
  id: string,
): Promise<(Upload & { held: boolean }) | null> {
  const [row] = await db.query<UploadRow & { held: boolean }>(
    `select ${COLUMNS}, coalesce(u.lease_until > app_now(), false) as held
     from upload u where id = $1 and user_id = $2 and expires_at > app_now()`,
    [id, userId],
  );
  return row ? { ...uploadOf(row), held: row.held } : null;
}

/** Takes the lease of an unfinished upload that is not leased. Index: primary key. */
export async function takeLease(
  db: Queryable,
  { userId, id, leaseMs }: { userId: string; id: string; leaseMs: number },
): Promise<Claim | null> {
  const [row] = await db.query<UploadRow & { fence: number; announced_sha256: Buffer | null; vanished: boolean }>(
    `with free as (
       select id, lease_until from upload
       where id = $1 and user_id = $2 and sha256 is null and expires_at > app_now()
         and (lease_until is null or lease_until <= app_now()) for update)
     update upload u set lease_until = app_now() + $3::float8 * interval '1 ms', fence = u.fence + 1, wanted = false
     from free where u.id = free.id
     returning ${COLUMNS}, u.fence, u.announced_sha256, free.lease_until is not null as vanished`,
    [id, userId, leaseMs],
  );
  if (!row) return null;
  const { fence, vanished } = row;
  return { ...uploadOf(row), userId, fence, vanished, announcedSha256: row.announced_sha256?.toString('hex') ?? null };
}

/** Asks the lease holder to end. Index: primary key. */
export async function wantLease(db: Queryable, id: string): Promise<void> {
  await db.execute('update upload set wanted = true where id = $1 and not wanted and lease_until > app_now()', [id]);
}

type UploadLease = Pick<Claim, 'id' | 'fence'>;

/**
 * Extends the lease. A renewal that arrives after the release changes nothing.
 * @returns null when the lease was lost or released. Index: primary key.
 */
export async function renewLease(
  db: Queryable,
  { id, fence }: UploadLease,
  leaseMs: number,
): Promise<'ours' | 'wanted' | null> {
  const [row] = await db.query<{ wanted: boolean }>(
    `update upload set lease_until = app_now() + $3::float8 * interval '1 ms' where id = $1 and fence = $2 and lease_until is not null
     returning wanted`,
    [id, fence, leaseMs],
  );
  if (!row) return null;
  return row.wanted ? 'wanted' : 'ours';
}

/** Records the number of durable bytes. @returns null when the lease was lost. Index: primary key. */
export async function recordDurable(db: Queryable, { id, fence }: UploadLease, durable: number): Promise<Date | null> {
  const [row] = await db.query<{ expires_at: Date }>(
    `update upload set durable = $3, expires_at = ${KEPT} where id = $1 and fence = $2 and sha256 is null
     returning expires_at`,
    [id, fence, durable],
  );
  return row?.expires_at ?? null;
}

/**
 * Releases the lease once this writer has ended, so that the next one may continue in the same file. Index: primary
 * key.
 */
export async function endLease(db: Queryable, { id, fence }: UploadLease): Promise<void> {
  await db.execute('update upload set lease_until = null where id = $1 and fence = $2', [id, fence]);
}

/** Switches the upload to another file and queues the previous one for removal. */
export async function changeFile(db: Queryable, { id, fence, file }: UploadLease & { file: number }): Promise<boolean> {
  const queued = await db.execute(
    `with was as (select id, file from upload where id = $1 and fence = $2 for update),
     changed as (update upload u set file = $3 from was where u.id = was.id returning was.file)
     insert into file_removal (storage_key) select 'uploads/' || $1::uuid || '.' || file from changed
     on conflict (storage_key) do update set due_at = app_now()`,
    [id, fence, file],
  );
  return queued > 0;
}

/** Records the last bytes and the hash of the whole. @returns null when the lease was lost. Index: primary key. */
export async function finishUpload(tx: Queryable, { id, fence }: UploadLease, sha256: string): Promise<Date | null> {
  const [row] = await tx.query<{ expires_at: Date }>(
    `update upload set durable = bytes, sha256 = decode($3, 'hex'), lease_until = null, expires_at = ${KEPT}
     where id = $1 and fence = $2 and sha256 is null returning expires_at`,
    [id, fence, sha256],
  );
  return row?.expires_at ?? null;
}

/**
 * Deletes an upload that no post has used, and queues its file for removal.
 * @param fence delete only if this is the latest fencing token
 * @returns the file's key; null if there is no such upload
 */
export async function forgetUpload(
  db: Queryable,
  { userId, id, fence = null }: { userId: string; id: string; fence?: number | null },
): Promise<string | null> {
  const [row] = await db.query<{ file: number }>(
    `with gone as (delete from upload where id = $1 and user_id = $2 and used_at is null and expires_at > app_now()
         and ($3::bigint is null or fence = $3)
       returning id, file, used_at),
     listed as (${GONE_FILES})
     select file from gone`,
    [id, userId, fence],
  );
  return row ? uploadKey(id, row.file) : null;
}

/** Deletes uploads without activity for a day. Index: upload_expiry. @returns number of uploads */
export async function forgetExpired(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with gone as (delete from upload where expires_at <= app_now() returning id, file, used_at),
     listed as (${GONE_FILES})
     select count(*) as count from gone`,
  );
  return row?.count ?? 0;
}

/** Returns which of these files belong to uploads. Index: primary key. */
export async function filesInUse(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string; file: number }>(
    'select id, file from upload where id = any($1::uuid[]) and used_at is null',
    [ids],
  );
  return new Set(rows.map(({ id, file }) => uploadKey(id, file)));
}

/** Extends the expiry of an upload that is about to be posted to at least an hour. Index: primary key. */
export async function extendExpiry(db: Queryable, userId: string, id: string): Promise<Upload | null> {
  const [row] = await db.query<UploadRow>(
    `update upload u set expires_at = greatest(expires_at, app_now() + interval '1 hour')
     where id = $1 and user_id = $2 and expires_at > app_now() returning ${COLUMNS}`,
    [id, userId],
  );
  return row ? uploadOf(row) : null;
}

/** Keeps an upload for a draft, if it is finished and unused. Index: primary key. @returns its state before */
export async function extendForDraft(tx: Queryable, userId: string, id: string): Promise<Upload | null> {
  const [row] = await tx.query<UploadRow>(
    `with found as (select * from upload where id = $1 and user_id = $2 and expires_at > app_now() for update),
     kept as (
       update upload u set expires_at = app_now() + interval '${DRAFT_DAYS} days' from found
       where u.id = found.id and u.sha256 is not null and u.used_at is null
         and u.expires_at < app_now() + interval '${DRAFT_DAYS - 1} days')
     select ${COLUMNS} from found u`,
    [id, userId],
  );
  return row ? uploadOf(row) : null;
}

/** Limits the expiry of an unused upload to that of uploads without a draft. Index: primary key. */
export async function shortenExpiry(tx: Queryable, userId: string, id: string): Promise<void> {
  await tx.execute(
    `update upload set expires_at = least(expires_at, ${KEPT}) where id = $1 and user_id = $2 and used_at is null`,
    [id, userId],
  );
}

/** Assigns the upload to a post and queues its own file for removal. @returns whether it existed and was unused */
export async function markUsed(
  tx: Queryable,
  { userId, id, postId }: { userId: string; id: string; postId: string },
): Promise<boolean> {
  const queued = await tx.execute(
    `with used as (
       update upload set post_id = $3, used_at = app_now(), expires_at = ${KEPT}
       where id = $1 and user_id = $2 and sha256 is not null and used_at is null and expires_at > app_now()
       returning id, file)
     insert into file_removal (storage_key) select 'uploads/' || id || '.' || file from used
     on conflict (storage_key) do update set due_at = app_now()`,
    [id, userId, postId],
  );
  return queued > 0;
}
