/** What keeps a failed repost from being retried: its account may show the same video by now. */
import type { Queryable } from '../db/database.ts';
import { compareContent } from './content.ts';
import { type ContentItem, findCandidates } from './copies.ts';

/**
 * Identities of these on which another post shows what a repost does. None if its user posted it directly, or asked for
 * this repost by hand. Call it with the lanes of the identities locked. Indexes: primary keys, unique key of firing, and
 * those of {@link findCandidates}.
 * @param onlySure whether posts that only may show the same are left out
 */
export async function identitiesWithCopies(
  tx: Queryable,
  postId: string,
  identityIds: readonly string[],
  onlySure: boolean,
): Promise<string[]> {
  const [item] = await tx.query<Omit<ContentItem, 'at'> & { at: Date }>(
    `select p.origin_id as "originId", p.content_text as text, (m.facts->>'durationMs')::float8 as "durationMs",
       true as "isMeasured", f.is_catalog as "isOld", coalesce(w.published_at, s.published_at, p.created_at) as at
     from post p join media m on m.id = p.media_id
       join firing f on f.rule_id = p.rule_id and f.origin_id = p.origin_id and f.post_id = p.id and not f.by_hand
       left join watched_post w on w.id = f.watched_post_id left join placement s on s.target_id = f.target_id
     where p.id = $1 and p.content_text is not null`,
    [postId],
  );
  if (!item) return [];
  const candidates = await findCandidates(tx, { ...item, at: item.at.getTime() }, identityIds);
  return candidates
    .filter((each) => (onlySure ? ['same'] : ['same', 'unclear']).includes(compareContent(item, each)))
    .map(({ identityId }) => identityId);
}
