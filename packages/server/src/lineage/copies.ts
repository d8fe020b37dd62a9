/** SQL that finds posts which may show the same content as another one. */
import type { Queryable } from '../db/database.ts';
import { listParameter } from '../db/list-parameter.ts';
import { DAY } from '../lib/time.ts';
import { type ContentForm, contentKey, ROUGH_SLACK_MS, SAME_WITHIN_MS } from './content.ts';
import { HAS_CONTENT, IDENTITIES_OF, OCCUPIES } from './occupancy.ts';
import { TARGET_TEXT } from './target-text.ts';

/** A piece of content with what its copies are found by. */
export interface ContentItem extends ContentForm {
  originId: string;
  /** When it was published on its source, in ms since the epoch. */
  at: number;
  /** Whether copies of any age count: it was selected from the back catalog. */
  isOld: boolean;
}

/** A post on a destination that may show the same. */
export interface Candidate extends ContentForm {
  originId: string;
  identityId: string;
}

/** Posts of one account that are compared. They are equal in text and length, so one of them decides. */
const MAX_CANDIDATES = 100;
const WITHIN = `($4::timestamptz is null or $4 between at - $5 * interval '1 day' and at + $5 * interval '1 day')`;
const AS_LONG = `($6::float8 is null or "durationMs" is null or abs("durationMs" - $6) < ${ROUGH_SLACK_MS})`;
/** Two posts on one account are never one content, so what is on an account of this content is another content. */
const IS_APART = `not exists (select from mine where ${HAS_CONTENT('c."originId"', 'mine.identity_id')})`;

const FIND = `with mine as materialized (${IDENTITIES_OF('$1::uuid')})
  select d.identity_id as "identityId", c."originId", c.text, c."durationMs", c."isMeasured"
  from unnest(${listParameter('$2')}) with ordinality as d (identity_id, place) cross join lateral (
    select c.* from (
      select p.origin_id as "originId", coalesce(p.content_text, p.normal_text) as text, p.duration_ms as "durationMs",
        p.is_measured as "isMeasured", p.published_at as at
      from placement p where p.identity_id = d.identity_id and p.content_key = $3
      union all
      select t.origin_id, coalesce(p.content_text, ${TARGET_TEXT}), (m.facts->>'durationMs')::float8, true,
        coalesce(case when t.state = 'failed' then t.committed_at end, greatest(t.counts_from, app_now()))
      from target t join post p on p.id = t.post_id join media m on m.id = p.media_id
      where t.identity_id = d.identity_id and t.content_key = $3 and t.state <> 'posted' and ${OCCUPIES('t')}) c
    where ${WITHIN} and ${AS_LONG} and ${IS_APART} order by c.at limit ${MAX_CANDIDATES}) c
  order by d.place, c.at`;

/**
 * Finds posts on these identities that may show the same content: placed, queued, being sent or with unknown outcome.
 * One of unknown outcome counts at the time of its send. Earlier ones come first. Call it with the lanes of the identities locked. Indexes: placement_content, target_content,
 * placement_lineage, target_lineage.
 */
export async function findCandidates(
  db: Queryable,
  item: ContentItem,
  identityIds: readonly string[],
): Promise<Candidate[]> {
  const key = contentKey(item.text);
  if (key === null || identityIds.length === 0) return [];
  return db.query<Candidate>(FIND, [
    item.originId,
    identityIds,
    key,
    item.isOld ? null : new Date(item.at),
    SAME_WITHIN_MS / DAY,
    item.durationMs,
  ]);
}
