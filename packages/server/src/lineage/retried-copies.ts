/** What keeps a failed repost from being retried: its account may show the same video by now. */
import type { Queryable } from '../db/database.ts';
import { compareContent } from './content.ts';
import { type ContentItem, findCandidates } from './copies.ts';

/**
 * Identities of these on which another post shows what a repost does. None if its user posted it directly, or asked for
 * this repost by hand. The post itself tells, because the rule and its decisions may be gone. Call it with the lanes of the
 * identities locked. Indexes: primary keys, and those of {@link findCandidates}.
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
       true as "isMeasured", p.from_catalog as "isOld", coalesce(p.source_published_at, p.created_at) as at
     from post p join media m on m.id = p.media_id
     where p.id = $1 and p.content_text is not null and not p.by_hand`,
    [postId],
  );
  if (!item) return [];
  const candidates = await findCandidates(tx, { ...item, at: item.at.getTime() }, identityIds);
  return candidates
    .filter((each) => (onlySure ? ['same'] : ['same', 'unclear']).includes(compareContent(item, each)))
    .map(({ identityId }) => identityId);
}
