/** SQL of the history: entries with their targets, newest first. */
import type { Ends } from '../accounts/tokens/token-lifetime.ts';
import type { Capabilities, JsonObject } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import type { VideoFacts } from '../media/types.ts';
import type { MessageParams } from '../messages/message.ts';
import type { TargetRendition } from '../publishing/choose-file.ts';
import type { TargetCode, TargetState, Trouble } from '../publishing/target.ts';
import { RENDITION } from '../publishing/task-store.ts';
import { MAX_LINES } from '../publishing/timeline-store.ts';

/** A target in a history entry. Times are ISO 8601 as written by the database. */
export interface TargetRow {
  accountId: string;
  platform: string;
  username: string;
  displayName: string;
  avatar: string | null;
  state: TargetState;
  code: TargetCode | null;
  detail: string | null;
  platformCode: string | null;
  url: string | null;
  publishedAt: string | null;
  dueAt: string | null;
  trouble: Trouble | null;
}

export interface EntryRow {
  id: string;
  description: string;
  filename: string;
  scheduled: boolean;
  date: Date;
  repostOf: string | null;
  targets: TargetRow[];
}

/** An entry has a text, or the code and parameters of its message. */
export interface TimelineRow {
  at: string;
  event: string;
  text: string | null;
  code: string | null;
  params: MessageParams | null;
  platformCode: string | null;
}

export interface DetailedRow extends EntryRow {
  previewTimeMs: number;
  targets: (TargetRow & {
    caption: string | null;
    options: JsonObject;
    rendition: TargetRendition | null;
    capabilities: Pick<Capabilities, 'video'>;
    original: VideoFacts;
    access: Ends<string> | null;
    timeline: TimelineRow[];
  })[];
}

/** @param more further properties of a target, as SQL */
export const targetsOf = (more = '') => `
  (select coalesce(json_agg(json_build_object('accountId', a.id, 'platform', a.platform, 'username', a.username,
     'displayName', a.display_name, 'avatar', a.avatar, 'state', t.state, 'code', t.code, 'detail', t.detail, 'platformCode', t.platform_code,
     'url', t.url, 'publishedAt', t.published_at, 'dueAt', t.due_at, 'trouble', t.trouble${more}) order by t.position), '[]')
   from target t join account a on a.id = t.account_id where t.post_id = p.id) as targets`;

/** Columns of an entry; `p` is the post, `m` its media. */
export const ENTRY = `p.id, p.description, m.thumbnail as filename, p.scheduled, p.date, p.repost_of as "repostOf"`;

const DETAILS = `, 'caption', t.caption, 'options', t.options, 'capabilities', a.capabilities, 'original', m.facts,
  'rendition', (select ${RENDITION} from rendition r where r.id = t.rendition_id), 'access',
  (select json_build_object('kind', g.kind, 'expiresAt', g.expires_at, 'refreshExpiresAt', g.refresh_expires_at)
   from access_grant g where g.id = a.grant_id), 'timeline', (
  select coalesce(json_agg(json_build_object('at', l.at, 'event', l.event, 'text', l.text, 'code', l.code, 'params', l.params,
    'platformCode', l.platform_code) order by l.id), '[]')
  from (select * from timeline where target_id = t.id order by id desc limit ${MAX_LINES}) l)`;

/**
 * Reads one page and the total number of entries from one snapshot. A page in the second half is counted from the other
 * end, so the last page is as cheap as the first. Indexes: post_history (both directions), target_post, primary keys.
 */
export async function readPage(
  db: Queryable,
  userId: string,
  skip: number,
  size: number,
): Promise<{ entries: EntryRow[]; total: number }> {
  const rows = await db.query<{ total: number } & (EntryRow | { id: null })>(
    `with known as materialized (
       select coalesce((select posts from user_counter where user_id = $1), 0) as total),
     plan as materialized (
       select least($3::bigint, greatest(total - $2::bigint, 0)) as size, $2::bigint > total / 2 as backwards, total
       from known),
     chosen as materialized (
       (select id from post where user_id = $1 order by date desc, id desc
        limit (select case when backwards then 0 else size end from plan) offset $2::bigint)
       union all
       (select id from post where user_id = $1 order by date, id
        limit (select case when backwards then size else 0 end from plan)
        offset (select greatest(total - $2::bigint - size, 0) from plan)))
     select known.total, e.* from known left join (
       select ${ENTRY}, ${targetsOf()} from chosen
         cross join lateral (select * from post where id = chosen.id offset 0) p
         cross join lateral (select thumbnail from media where id = p.media_id offset 0) m) e
       on true
     order by e.date desc, e.id desc`,
    [userId, skip, size],
  );
  return { total: rows[0]?.total ?? 0, entries: rows.filter((row) => row.id !== null) as EntryRow[] };
}

/** Reads one entry with the newest lines of its timelines. Indexes: primary keys, target_post, timeline_target. */
export async function readDetailed(db: Queryable, userId: string, postId: string): Promise<DetailedRow | undefined> {
  const [row] = await db.query<DetailedRow>(
    `select ${ENTRY}, p.preview_time_ms as "previewTimeMs", ${targetsOf(DETAILS)} from post p join media m on m.id = p.media_id
     where p.id = $1 and p.user_id = $2`,
    [postId, userId],
  );
  return row;
}

/** ms since the epoch, both inclusive. */
export interface Range {
  from: number;
  to: number;
}

/** Bytes of an id. */
const ID_BYTES = 16;

/**
 * Reads which entries a range has, newest first. Index: post_history.
 * @returns their ids, one after the other, as bytes: a million of them are 16 MB
 */
export async function readRange(db: Queryable, userId: string, { from, to }: Range): Promise<Buffer> {
  const [row] = await db.query<{ ids: Buffer | null }>(
    `select string_agg(uuid_send(id), ''::bytea order by date desc, id desc) as ids
     from post where user_id = $1 and date >= $2 and date < $3`,
    // Stored times may be more precise than ms.
    [userId, dateAt(from), dateAt(to + 1)],
  );
  return row?.ids ?? Buffer.alloc(0);
}

/** Clamps to valid dates: no post is older than the epoch. */
function dateAt(ms: number): Date {
  return new Date(Math.min(Math.max(0, ms), 8_640_000_000_000_000));
}

/** Entries per statement. Large ones, of 50 accounts each, are megabytes. */
const BATCH = 10;

/**
 * Reads entries by the ids of {@link readRange}, in their order, each batch when it is asked for. Those that were deleted
 * meanwhile are left out. Indexes: primary keys, target_post.
 */
export async function* readEntries(db: Queryable, userId: string, ids: Buffer): AsyncGenerator<EntryRow[]> {
  for (let at = 0; at < ids.length; at += BATCH * ID_BYTES) {
    const batch = Array.from({ length: Math.min(BATCH, (ids.length - at) / ID_BYTES) }, (_, index) =>
      ids.toString('hex', at + index * ID_BYTES, at + (index + 1) * ID_BYTES),
    );
    yield await db.query<EntryRow>(
      `select ${ENTRY}, ${targetsOf()} from unnest($2::uuid[]) with ordinality as g (id, place)
         join post p on p.id = g.id and p.user_id = $1 join media m on m.id = p.media_id
       order by g.place`,
      [userId, batch],
    );
  }
}
