/** SQL that reads the content a rule must decide about. */
import type { Connector, JsonObject } from '../connectors/contract.ts';
import { comparableText } from '../connectors/kit/comparable-text.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { handleOf } from '../lib/handle.ts';
import type { ContentForm } from '../lineage/content.ts';
import { TARGET_TEXT } from '../lineage/target-text.ts';
import { releaseMedia } from '../media/media-store.ts';
import type { MessageRef } from '../messages/message.ts';
import { say } from '../messages/rules.ts';
import { type Content, canDownloadAgain } from './decide.ts';
import type { FiringRow } from './firing-store.ts';

/** Content with what its repost is made of. */
export interface Found {
  content: Content;
  /** Our post; null for content posted elsewhere, or if it was removed. */
  postId: string | null;
  originId: string;
  /** null until the file is there. */
  mediaId: string | null;
  previewTimeMs: number;
  /** Whether a removed post left its video for this firing alone. */
  isCopy: boolean;
  /** What its copies are found by; null if the ledger does not have it. */
  form: (ContentForm & { at: number }) | null;
}

interface OwnRow {
  username: string;
  postId: string;
  originId: string;
  mediaId: string;
  description: string;
  previewTimeMs: number;
  url: string | null;
  durationMs: number | null;
  /** Whether everybody can see it as it was sent; null or absent if unknown. */
  isPublic?: boolean | null;
  /** Absent in the copy of a removed post, whose video is kept for it. */
  mediaState?: MediaState;
}

type MediaState = 'storing' | 'stored' | 'gone';

/** SQL: the name of the source account of the rule `$2`. */
const SOURCE_NAME = '(select a.username from rule r join account a on a.id = r.from_account where r.id = $2)';

/** Posted content, while its post exists; else the copy that it left. Indexes: primary keys. */
export async function readOwn(tx: Queryable, firing: FiringRow): Promise<Found | null> {
  const [posted] = await tx.query<OwnRow>(
    `select p.id as "postId", t.origin_id as "originId", p.media_id as "mediaId", ${TARGET_TEXT} as description,
       p.preview_time_ms as "previewTimeMs", t.url, (m.facts->>'durationMs')::float8 as "durationMs",
       t.is_public as "isPublic", m.state as "mediaState", ${SOURCE_NAME} as username
     from target t join post p on p.id = t.post_id join media m on m.id = p.media_id where t.id = $1`,
    [firing.target_id, firing.rule_id],
  );
  // Read in this order: a post deleted before the first read has already left its copy.
  const [kept] = posted
    ? []
    : await tx.query<{ copy: Omit<OwnRow, 'username'> | null; username: string }>(
        `select copy, ${SOURCE_NAME} as username from firing where id = $1`,
        [firing.id, firing.rule_id],
      );
  const row = posted ?? (kept?.copy ? { ...kept.copy, username: kept.username } : null);
  if (!row) return null;
  return {
    content: asSeen(ownContent(row), await readSeen(tx, firing)),
    postId: row.postId,
    originId: row.originId,
    mediaId: row.mediaId,
    previewTimeMs: row.previewTimeMs,
    isCopy: !posted,
    form: await readForm(tx, firing),
  };
}

/** Reads the ledger's entry of posted content. Index: unique key of placement. */
export async function readForm(tx: Queryable, firing: FiringRow): Promise<Found['form']> {
  const [row] = await tx.query<ContentForm & { publishedAt: Date }>(
    `select coalesce(content_text, normal_text) as text, duration_ms as "durationMs", is_measured as "isMeasured",
       published_at as "publishedAt"
     from placement where target_id = $1`,
    [firing.target_id],
  );
  return row ? { ...row, at: row.publishedAt.getTime() } : null;
}

/** What the watch saw of a post of ours on the source. */
export interface Seen {
  isGone: boolean;
  /** null unless it was edited there. */
  editedText: string | null;
}

/**
 * Reads what the watch saw of the post of a firing's target, also when its entry here was removed. Locked, so that the
 * watch records a change before or after this transaction. Indexes: unique keys of placement and watched_post.
 */
export async function readSeen(tx: Queryable, { target_id: targetId }: FiringRow): Promise<Seen> {
  const [row] = await tx.query<Seen>(
    `select w.gone_at is not null as "isGone", case when w.edited_at is not null then w.text end as "editedText"
     from placement p join watched_post w on w.identity_id = p.identity_id and w.remote_id = p.remote_id
     where p.target_id = $1 for share of w`,
    [targetId],
  );
  return row ?? { isGone: false, editedText: null };
}

/** Lists of some platforms cut texts. A beginning of this many letters and digits is no edit. */
const MIN_BEGINNING = 80;

/** Content as its source shows it now. Pure. */
function asSeen(content: Content, { isGone, editedText }: Seen): Content {
  if (editedText === null) return { ...content, isGone };
  const [sent, shown] = [comparableText(content.caption), comparableText(editedText)];
  const isSame = shown === sent || (shown.length >= MIN_BEGINNING && sent.startsWith(shown));
  return { ...content, isGone, caption: isSame ? content.caption : editedText };
}

/** What is known of a post of ours. */
export type OwnContentRow = Pick<OwnRow, 'username' | 'description' | 'url' | 'durationMs' | 'isPublic' | 'mediaState'>;

/** Content posted through us. Pure. */
export function ownContent(row: OwnContentRow): Content {
  const isRemoved = row.mediaState === 'gone';
  return {
    origin: 'own',
    caption: row.description,
    durationMs: row.durationMs ?? null,
    url: row.url ?? null,
    sourceName: handleOf(row.username),
    isPublic: row.isPublic === true,
    isEcho: false,
    isGone: false,
    file: isRemoved ? { state: 'failed', problem: say('video_removed') } : { state: 'stored' },
    withoutFile: null,
  };
}

/** What decides whether the file of a post can be had. */
export interface FileSources {
  connectors: Readonly<Record<string, Pick<Connector, 'name' | 'watch' | 'federated'>>>;
  /** Whether an external downloader is configured. */
  downloads: boolean;
}

/** What is known of a post that was found on the source. */
export interface ForeignContentRow {
  text: string;
  durationMs: number | null;
  isMeasured: boolean;
  url: string | null;
  isPublic: boolean;
  state: 'own' | 'foreign' | 'echo';
  isGone: boolean;
  file: JsonObject | null;
  problem: MessageRef | null;
  platform: string;
  username: string;
  fileState: 'wanted' | 'stored' | 'failed' | null;
  /** When the file was requested. */
  fileSince: Date | null;
  fileProblem: MessageRef | null;
  mediaState: MediaState | null;
}

interface ForeignRow extends ForeignContentRow {
  originId: string;
  /** The text before the template of a rule that made the post, perhaps another user's; null: its own text. */
  contentText: string | null;
  publishedAt: Date;
  mediaId: string | null;
}

/** SQL: the columns of {@link ForeignContentRow} for the post `w`, its account `a`, the file `s` and its media `m`. */
export const FOREIGN_CONTENT = `w.text, coalesce((m.facts->>'durationMs')::float8, w.duration_ms) as "durationMs",
  (m.id is not null or w.is_measured) as "isMeasured", w.url,
  w.is_public and w.public_in_time as "isPublic", w.state, w.gone_at is not null as "isGone", w.file, w.problem, a.platform,
  a.username,
  s.state as "fileState", s.created_at as "fileSince", s.problem as "fileProblem", m.state as "mediaState"`;

/**
 * Content found on the source, with the file of this user and fit. Indexes: primary keys, placement_remote, unique key of
 * source_file.
 */
export async function readForeign(
  tx: Queryable,
  firing: FiringRow,
  fit: string,
  sources: FileSources,
): Promise<Found | null> {
  // As in readSeen: locked before it is read.
  await tx.query('select from watched_post where id = $1 for share', [firing.watched_post_id]);
  const [row] = await tx.query<ForeignRow>(
    `select w.origin_id as "originId", w.published_at as "publishedAt", s.media_id as "mediaId",
       p.content_text as "contentText", ${FOREIGN_CONTENT}
     from watched_post w join rule r on r.id = $2 join account a on a.id = r.from_account
       left join placement p on p.identity_id = w.identity_id and p.remote_id = w.remote_id
       left join source_file s on s.watched_post_id = w.id and s.user_id = r.user_id and s.fit = $3
       left join media m on m.id = s.media_id
     where w.id = $1`,
    [firing.watched_post_id, firing.rule_id, fit],
  );
  if (!row) return null;
  const content = foreignContent(row, sources);
  return {
    content: isRetried(firing, content) ? { ...content, file: { state: 'none' } } : content,
    postId: null,
    originId: row.originId,
    mediaId: row.mediaId,
    previewTimeMs: 0,
    isCopy: false,
    form: formOf(row),
  };
}

/** What copies of found content are found by. Pure. */
export function formOf({
  text,
  contentText,
  durationMs,
  isMeasured,
  publishedAt,
}: Pick<ForeignRow, 'text' | 'contentText' | 'durationMs' | 'isMeasured' | 'publishedAt'>): NonNullable<Found['form']> {
  return { text: contentText ?? text, durationMs, isMeasured, at: publishedAt.getTime() };
}

/** Whether the file is fetched again: a download failed before this firing waited for it. */
function isRetried({ reason }: FiringRow, content: Content): boolean {
  return canDownloadAgain(content) && reason?.code !== 'file_fetching';
}

/** Content that was found on the source. Pure. */
export function foreignContent(row: ForeignContentRow, sources: FileSources): Content {
  return {
    origin: 'foreign',
    caption: row.text,
    durationMs: row.durationMs,
    url: row.url,
    sourceName: handleOf(row.username),
    isPublic: row.isPublic,
    isEcho: row.state === 'echo',
    isGone: row.isGone,
    file: fileOf(row),
    withoutFile: whyWithoutFile(row, sources),
  };
}

/** Why the video of a post cannot be downloaded; null if it can. */
function whyWithoutFile(
  { platform, file, url, problem }: Pick<ForeignContentRow, 'platform' | 'file' | 'url' | 'problem'>,
  { connectors, downloads }: FileSources,
): MessageRef | null {
  const connector = connectors[platform];
  const hasFile =
    (connector?.watch?.file !== undefined && file !== null) ||
    (downloads && url !== null && problem === null && connector?.federated === false);
  return hasFile ? null : (problem ?? say('platform_without_files', { platform: connector?.name ?? platform }));
}

function fileOf({ fileState, fileSince, fileProblem, mediaState }: ForeignContentRow): Content['file'] {
  if (fileState === 'failed') return { state: 'failed', problem: fileProblem ?? say('gone') };
  if (fileState === 'wanted') return { state: 'wanted', since: fileSince?.getTime() ?? 0 };
  // A video that was removed after its retention is fetched again.
  return { state: fileState === 'stored' && mediaState === 'stored' ? 'stored' : 'none' };
}

/** Requests the file of a firing's content. Indexes: unique keys of source_file and account, primary key. */
export async function requestFile(tx: Queryable, firing: FiringRow, fit: string): Promise<void> {
  await tx.execute(
    `insert into source_file (watched_post_id, user_id, fit, service)
     select $1::uuid, $2::uuid, $3::text, coalesce((
       select a.service from watched_post w join account a on a.identity_id = w.identity_id and a.user_id = $2::uuid
       where w.id = $1::uuid), '')
     on conflict (watched_post_id, user_id, fit) do update
       set service = excluded.service, state = 'wanted', media_id = null, due_at = app_now(), attempts = 0, created_at = app_now()
       where source_file.state <> 'wanted'`,
    [firing.watched_post_id, firing.user_id, fit],
  );
}

/**
 * Drops the file of a firing that waits for the daily limit, unless another firing of the user needs it now. It is fetched
 * again in time. Indexes: unique key of source_file, firing_watched.
 */
export async function dropFile(tx: Transaction, firing: FiringRow, fit: string): Promise<void> {
  const dropped = await tx.query<{ id: string | null }>(
    `delete from source_file where watched_post_id = $1 and user_id = $2 and fit = $3 and state <> 'failed'
       and not exists (select from firing f where f.watched_post_id = $1 and f.user_id = $2 and f.id <> $4
         and f.state = 'waiting' and f.limited_at is null)
     returning media_id as id`,
    [firing.watched_post_id, firing.user_id, fit, firing.id],
  );
  const ids = dropped.flatMap(({ id }) => id ?? []);
  if (ids.length > 0) await releaseMedia(tx, ids);
}

/**
 * Whether the file of a firing's content is still being fetched. What ends its row waits for this transaction and then
 * finds the firing waiting; without the lock, it could end between the decision and its commit, and wake nothing.
 * Index: unique key of source_file.
 */
export async function awaitsFile(tx: Queryable, firing: FiringRow, fit: string): Promise<boolean> {
  const [row] = await tx.query<{ state: string }>(
    'select state from source_file where watched_post_id = $1 and user_id = $2 and fit = $3 for share',
    [firing.watched_post_id, firing.user_id, fit],
  );
  return row?.state === 'wanted';
}
