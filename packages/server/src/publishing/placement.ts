/** Append-only ledger of published posts, unique per (identity, remote id). */
import type { Transaction } from '../db/database.ts';

/**
 * SQL statement that records posted targets with the text that was sent.
 * @param targets name of a table or query of targets
 */
export const placement = (targets: string) => `
  insert into placement (origin_id, identity_id, target_id, remote_id, duration_ms, normal_text, published_at)
    select t.origin_id, t.identity_id, t.id, t.remote_id, (m.facts->>'durationMs')::float8::integer,
      lower(regexp_replace(btrim(coalesce(t.caption, p.description)), '\\s+', ' ', 'g')), coalesce(t.published_at, app_now())
    from ${targets} t join post p on p.id = t.post_id join media m on m.id = p.media_id
    on conflict (target_id) do update set remote_id = excluded.remote_id, published_at = excluded.published_at`;

/** Records a post in the ledger. @returns false when another post has this remote id. Index: placement_remote. */
export async function claimPlacement(tx: Transaction, targetId: string): Promise<boolean> {
  const taken = await tx.query(
    `select 1 from placement p join target t on t.identity_id = p.identity_id and t.remote_id = p.remote_id
     where t.id = $1 and p.target_id <> t.id`,
    [targetId],
  );
  if (taken.length > 0) return false;
  await tx.execute(placement('(select * from target where id = $1)'), [targetId]);
  return true;
}
