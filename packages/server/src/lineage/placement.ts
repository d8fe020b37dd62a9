/** Append-only ledger of published posts, unique per (identity, remote id). */
import type { Queryable, Transaction } from '../db/database.ts';
import { contentKey } from './content.ts';
import { OCCUPIES } from './occupancy.ts';
import { TARGET_TEXT } from './target-text.ts';

/** SQL: the form of a text in which texts are compared. @param text SQL expression */
export const NORMAL_TEXT = (text: string) => `lower(regexp_replace(btrim(${text}), '\\s+', ' ', 'g'))`;

/**
 * SQL statement that records posted targets with the text that was sent.
 * @param targets name of a table or query of targets
 */
export const placement = (targets: string) => `
  insert into placement (origin_id, identity_id, target_id, user_id, remote_id, duration_ms, is_measured, normal_text,
      content_text, content_key, published_at)
    select t.origin_id, t.identity_id, t.id, t.user_id, t.remote_id, (m.facts->>'durationMs')::float8::integer, true,
      ${NORMAL_TEXT(TARGET_TEXT)}, p.content_text, t.content_key,
      coalesce(t.published_at, t.committed_at, app_now())
    from ${targets} t join post p on p.id = t.post_id join media m on m.id = p.media_id
    on conflict (target_id) do update set remote_id = excluded.remote_id, published_at = excluded.published_at`;

/** A post that was made elsewhere, in the form of the ledger. */
export interface FoundPlacement {
  originId: string;
  identityId: string;
  remoteId: string;
  text: string;
  durationMs: number | null;
  isMeasured: boolean;
  /** Whether it may be one of ours, but nothing identifies it. */
  isUnclear: boolean;
  publishedAt: Date;
}

/** Adds a post made elsewhere to the ledger, unless it is there. Index: placement_remote. */
export async function placeElsewhere(tx: Queryable, post: FoundPlacement): Promise<void> {
  await tx.execute(
    `insert into placement (origin_id, identity_id, remote_id, duration_ms, is_measured, normal_text, content_key,
       published_at, is_unclear)
     values ($1, $2, $3, $4, $5, ${NORMAL_TEXT('$6::text')}, $7, $8, $9) on conflict do nothing`,
    [
      post.originId,
      post.identityId,
      post.remoteId,
      post.durationMs,
      post.isMeasured,
      post.text,
      contentKey(post.text),
      post.publishedAt,
      post.isUnclear,
    ],
  );
}

/** Whether the ledger has a post of an identity. Index: placement_remote. */
export async function isInLedger(tx: Queryable, identityId: string, remoteId: string): Promise<boolean> {
  const rows = await tx.query('select from placement where identity_id = $1 and remote_id = $2', [
    identityId,
    remoteId,
  ]);
  return rows.length > 0;
}

/** SQL: targets of a post that are not in the ledger although a send of theirs may have had an effect. */
const MAY_BE_POSTED = `(select * from target where post_id = $1 and remote_id is null
  and state in ('posted', 'failed') and ${OCCUPIES('target')})`;

/**
 * Records that a post may be on its accounts although no outcome was proven. Call it before the post is deleted, so that
 * no rule sends it there again. Index: target_post.
 */
export async function placeUnproven(tx: Transaction, postId: string): Promise<void> {
  await tx.execute(placement(MAY_BE_POSTED), [postId]);
}

/**
 * Records that an account had the post of a failed target, so that no rule brings it there again. It has no remote id:
 * the post is gone. Index: primary key.
 */
export async function placeRemoved(tx: Transaction, targetId: string): Promise<void> {
  await tx.execute(placement('(select * from target where id = $1)'), [targetId]);
}

/** Records a post in the ledger. @returns false when another post has this remote id. Index: placement_remote. */
export async function claimPlacement(tx: Transaction, targetId: string): Promise<boolean> {
  const taken = await tx.query(
    `select 1 from placement p join target t on t.identity_id = p.identity_id and t.remote_id = p.remote_id
     where t.id = $1 and p.target_id is distinct from t.id`,
    [targetId],
  );
  if (taken.length > 0) return false;
  await tx.execute(placement('(select * from target where id = $1)'), [targetId]);
  return true;
}
