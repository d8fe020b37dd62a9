/** SQL that reads accounts, and writes posts and their targets. */
import type { StoredValues } from '../accounts/settings/account-settings.ts';
import type { Capabilities, JsonObject } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { isUuid } from '../lib/ids.ts';
import { contentKey } from '../lineage/content.ts';
import type { Message } from '../messages/message.ts';
import { storedMessage } from '../messages/stored.ts';
import type { TargetCode } from '../publishing/target.ts';

/** Index: none needed. @returns ms since the epoch by the database's clock */
export async function databaseNow(db: Queryable): Promise<number> {
  const [row] = await db.query<{ now: Date }>('select app_now() as now');
  return row?.now.getTime() ?? Date.now();
}

/** The parts of an account that posting needs. */
export interface PostAccount {
  id: string;
  identityId: string;
  platform: string;
  /** The account's server if its user named one; otherwise "". */
  service: string;
  username: string;
  status: string;
  sandbox: boolean;
  capabilities: Capabilities;
  choices: Record<string, string>;
  /** Allowed values by setting name, as far as known. */
  choiceValues: StoredValues;
}

const ACCOUNT_COLUMNS = `id, identity_id as "identityId", platform, service, username, status, sandbox, capabilities, choices,
  choice_values as "choiceValues"`;

/** The user's accounts with these ids, unordered. Index: primary key. */
export function findAccounts(db: Queryable, userId: string, ids: readonly string[]): Promise<PostAccount[]> {
  return db.query<PostAccount>(`select ${ACCOUNT_COLUMNS} from account where user_id = $1 and id = any($2::uuid[])`, [
    userId,
    ids.filter(isUuid),
  ]);
}

/** Same, locked against disconnection and rejection. Index: primary key. */
export function lockAccounts(tx: Queryable, userId: string, ids: readonly string[]): Promise<PostAccount[]> {
  return tx.query<PostAccount>(
    `select ${ACCOUNT_COLUMNS} from account where user_id = $1 and id = any($2::uuid[]) order by id for share`,
    [userId, ids.filter(isUuid)],
  );
}

export interface NewPost {
  id: string;
  userId: string;
  originId: string;
  mediaId: string;
  description: string;
  previewTimeMs: number;
  scheduled: boolean;
  /** ms since the epoch; null: now */
  at: number | null;
  repost?: NewRepost;
}

/** What a rule creates a post from. */
export interface NewRepost {
  ruleId: string;
  /** The source post; null for content posted elsewhere. */
  of: string | null;
  /** The text before the template of any rule. */
  contentText: string;
  /** When the content was published on its source, in ms since the epoch; null: not known. */
  publishedAt: number | null;
  /** Its user asked for it. */
  byHand: boolean;
  /** Selected from the back catalog. */
  fromCatalog: boolean;
}

/** @returns its date: the requested time, or now in whole ms, the precision of responses */
export async function insertPost(tx: Queryable, post: NewPost): Promise<Date> {
  const [row] = await tx.query<{ date: Date }>(
    `insert into post (id, user_id, origin_id, media_id, rule_id, repost_of, is_repost, description, preview_time_ms,
       scheduled, date, created_at, content_text, source_published_at, by_hand, from_catalog)
     values ($1, $2, $3, $4, $5::uuid, $6, $5::uuid is not null, $7, $8, $9,
       coalesce($10::timestamptz, date_trunc('milliseconds', app_now())), app_now(), $11, $12, $13, $14) returning date`,
    [
      post.id,
      post.userId,
      post.originId,
      post.mediaId,
      post.repost?.ruleId ?? null,
      post.repost?.of ?? null,
      post.description,
      post.previewTimeMs,
      post.scheduled,
      post.at === null ? null : new Date(post.at),
      post.repost?.contentText ?? null,
      post.repost?.publishedAt == null ? null : new Date(post.repost.publishedAt),
      post.repost?.byHand ?? false,
      post.repost?.fromCatalog ?? false,
    ],
  );
  if (!row) throw new Error('The inserted post is missing.');
  return row.date;
}

export interface NewTarget {
  id: string;
  accountId: string;
  identityId: string;
  /** Replaces the post's description. */
  caption?: string | null;
  /** The platform's own options; {} when absent. */
  options?: JsonObject;
  /** The rendition for this target, and why it is needed. */
  rendition?: { id: string; why: Message } | null;
  /** Waits for the quiet hours of the rule that made the post. Default: false. */
  obeysQuietHours?: boolean;
  /** Creates the target as already failed. */
  failure?: { code: TargetCode; detail: Message };
}

/**
 * Inserts the targets of a post in order, each with the first line of its timeline.
 * @param post.text its description, or what that was before the template of a rule
 * @param post.first position of the first one; default: 0
 */
export async function insertTargets(
  tx: Queryable,
  post: { id: string; userId: string; originId: string; date: Date; text: string; first?: number },
  targets: readonly NewTarget[],
  note: Message,
): Promise<void> {
  await tx.execute(
    `with given as (
       select * from unnest($5::uuid[], $6::uuid[], $7::uuid[], $8::text[], $9::text[], $11::text[],
         $12::jsonb[], $13::uuid[], $10::jsonb[], $14::jsonb[], $15::text[], $17::boolean[]) with ordinality
         as g (id, account_id, identity_id, code, detail, caption, options, rendition_id, first, why, content_key,
           obeys_quiet_hours, place)),
     made as (
       insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at,
         counts_from, code, detail, caption, content_key, options, rendition_id, obeys_quiet_hours, settled_at,
         created_at)
       select id, $1, $2, account_id, identity_id, $3, place - 1 + $16::integer,
         case when code is null then 'scheduled' else 'failed' end, case when code is null then $4::timestamptz end,
         $4, code, detail, caption, content_key, options, rendition_id, obeys_quiet_hours,
         case when code is not null then app_now() end, app_now()
       from given order by place)
     insert into timeline (target_id, event, code, params)
     select id, event, message ->> 'code', message -> 'params' from (
       select place, 1 as line, id, case when code is null then 'queued' else 'failed' end as event, first as message
       from given
       union all select place, 2, id, 'rendition', why from given where why is not null) told order by place, line`,
    [
      post.id,
      post.userId,
      post.originId,
      post.date,
      targets.map((target) => target.id),
      targets.map((target) => target.accountId),
      targets.map((target) => target.identityId),
      targets.map((target) => target.failure?.code ?? null),
      targets.map((target) => target.failure?.detail.text ?? null),
      targets.map((target) => JSON.stringify(storedMessage(target.failure?.detail ?? note))),
      targets.map((target) => target.caption ?? null),
      targets.map((target) => JSON.stringify(target.options ?? {})),
      targets.map((target) => target.rendition?.id ?? null),
      targets.map(({ rendition }) => (rendition ? JSON.stringify(storedMessage(rendition.why)) : null)),
      targets.map(({ caption }) => contentKey(caption ?? post.text)),
      post.first ?? 0,
      targets.map((target) => target.obeysQuietHours ?? false),
    ],
  );
}

/** Where the video of a post is stored. */
export interface PostVideo {
  mediaId: string;
  /** Storage key. */
  key: string;
  isStored: boolean;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** @returns null if the user has no such post. Index: primary keys. */
export async function findVideo(db: Queryable, userId: string, postId: string): Promise<PostVideo | null> {
  const [row] = await db.query<PostVideo>(
    `select m.id as "mediaId", m.storage_key as key, m.state = 'stored' as "isStored", m.bytes, encode(m.sha256, 'hex') as sha256
     from post p join media m on m.id = p.media_id
     where p.id = $1 and p.user_id = $2`,
    [postId, userId],
  );
  return row ?? null;
}
