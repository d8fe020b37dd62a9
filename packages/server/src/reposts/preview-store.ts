/** SQL of previews: what a rule would act on. It locks and writes nothing. */
import type { Capabilities } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import type { ContentForm } from '../lineage/content.ts';
import { OCCUPIES } from '../lineage/occupancy.ts';
import { TARGET_TEXT } from '../lineage/target-text.ts';
import { FOREIGN_CONTENT, type ForeignContentRow, type OwnContentRow } from './content-store.ts';
import { USED_ACCOUNT, type UsedAccount } from './rule-store.ts';

export interface PreviewAccount extends UsedAccount {
  identityId: string;
  capabilities: Capabilities;
}

/** Accounts of the user, in no particular order. Index: primary key. */
export function readAccounts(db: Queryable, userId: string, ids: readonly string[]): Promise<PreviewAccount[]> {
  return db.query<PreviewAccount>(
    `select ${USED_ACCOUNT}, a.identity_id as "identityId", a.capabilities from account a
     where a.user_id = $1 and a.id = any($2::uuid[])`,
    [userId, ids],
  );
}

export interface KnownItem extends ForeignContentRow {
  originId: string;
  publishedAt: Date;
  /** What its copies are found by. */
  form: ContentForm;
  /** Set if the user posted it through us. */
  own: Omit<OwnContentRow, 'username'> | null;
}

/** The latest posts on an account that are known here, newest first. Indexes: placement_time, unique keys. */
export function latestItems(
  db: Queryable,
  accountId: string,
  { fit, limit }: { fit: string; limit: number },
): Promise<KnownItem[]> {
  return db.query<KnownItem>(
    `select pl.origin_id as "originId", pl.published_at as "publishedAt",
       jsonb_build_object('text', coalesce(pl.content_text, pl.normal_text), 'durationMs', pl.duration_ms,
         'isMeasured', pl.is_measured) as form,
       case when p.id is not null then jsonb_build_object('description', ${TARGET_TEXT}, 'url', t.url,
         'durationMs', pm.facts->'durationMs', 'isPublic', t.is_public, 'mediaState', pm.state) end as own,
       ${FOREIGN_CONTENT}
     from account a join placement pl on pl.identity_id = a.identity_id
       left join target t on t.id = pl.target_id and t.user_id = a.user_id
       left join post p on p.id = t.post_id
       left join media pm on pm.id = p.media_id
       left join watched_post w on w.identity_id = pl.identity_id and w.remote_id = pl.remote_id and w.state <> 'new'
       left join source_file s on s.watched_post_id = w.id and s.user_id = a.user_id and s.fit = $2
       left join media m on m.id = s.media_id
     where a.id = $1 and (p.id is not null or w.id is not null)
     order by pl.published_at desc, pl.id desc limit $3`,
    [accountId, fit, limit],
  );
}

/** Where some content already is. Indexes: target_lineage, placement_lineage. */
export function reachedIdentities(
  db: Queryable,
  originIds: readonly string[],
  identityIds: readonly string[],
): Promise<{ originId: string; identityId: string }[]> {
  const from = (table: string, condition: string) =>
    `select origin_id as "originId", identity_id as "identityId" from ${table} t
     where origin_id = any($1::uuid[]) and identity_id = any($2::uuid[]) and ${condition}`;
  return db.query(`${from('target', OCCUPIES('t'))} union ${from('placement', 'true')}`, [originIds, identityIds]);
}
