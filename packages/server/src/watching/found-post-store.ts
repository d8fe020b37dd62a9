/** SQL that compares found posts with our own and records what they are. */
import type { Queryable } from '../db/database.ts';
import { ECHO_WITHIN_MS, type MatchFacts, type PlacedPost, type UnprovenTarget } from '../lineage/match.ts';
import { NORMAL_TEXT } from '../lineage/placement.ts';
import { TARGET_TEXT } from '../lineage/target-text.ts';
import { type DueRows, dueRows } from '../queue/claim.ts';
import { DAY } from '../time.ts';

/** A found post that is compared with our own. */
export interface FoundRow {
  id: string;
  identity_id: string;
  remote_id: string;
  published_at: Date;
  text: string;
  url: string | null;
  duration_ms: number | null;
  state: 'new' | 'own' | 'foreign' | 'echo';
}

/** Index: watched_post_due. */
export const dueFound: DueRows<FoundRow> = dueRows<FoundRow>('watched_post');

const DAYS = `${ECHO_WITHIN_MS / DAY} * interval '1 day'`;

/** Posts of an account that are compared by text. */
const MAX_COMPARED = 500;

/**
 * Reads what is known of the post's identity. Call it with the identity's lane locked: then no send begins or ends
 * meanwhile. Indexes: placement_remote, target_due, target_unknown, placement_time, primary keys.
 */
export async function readMatchFacts(tx: Queryable, post: FoundRow): Promise<MatchFacts> {
  const [known] = await tx.query<{ originId: string; userId: string | null; ours: boolean }>(
    `select origin_id as "originId", user_id as "userId", target_id is not null as ours
     from placement where identity_id = $1 and remote_id = $2`,
    [post.identity_id, post.remote_id],
  );
  const unproven = await tx.query<Omit<UnprovenTarget, 'committedAt'> & { committedAt: Date | null }>(
    `select t.id, case when t.state = 'failed' then 'gaveUp' else 'open' end as outcome, t.committed_at as "committedAt",
       ${TARGET_TEXT} as text, (m.facts->>'durationMs')::float8 as "durationMs"
     from target t join post p on p.id = t.post_id join media m on m.id = p.media_id
     where t.identity_id = $1 and t.committed_at is not null
       and ((t.due_at is not null and t.state in ('committing', 'unknown', 'confirming'))
         or (t.code = 'outcome_unknown' and t.settled_at > app_now() - ${DAYS}))`,
    [post.identity_id],
  );
  const placed = await tx.query<PlacedPost>(
    `select origin_id as "originId", normal_text as text, duration_ms as "durationMs",
       remote_id is not null as "isProven"
     from placement where identity_id = $1 and published_at > $2::timestamptz - ${DAYS} and remote_id is distinct from $3
     order by published_at desc limit ${MAX_COMPARED}`,
    [post.identity_id, post.published_at, post.remote_id],
  );
  return {
    post: { publishedAt: post.published_at.getTime(), text: post.text, durationMs: post.duration_ms },
    known: known ? { originId: known.originId, userId: known.userId } : null,
    unproven: unproven.map((target) => ({ ...target, committedAt: target.committedAt?.getTime() ?? null })),
    placed,
  };
}

/**
 * Ends the comparison of a post.
 * @returns false when another worker has it. Index: primary key.
 */
export async function writeMatch(
  tx: Queryable,
  { key, fence }: { key: string; fence: number },
  { state, originId }: { state: 'own' | 'foreign' | 'echo'; originId: string },
): Promise<boolean> {
  const done = await tx.execute(
    `update watched_post set state = $3, origin_id = $4, due_at = null, lease_until = null
     where id = $1 and fence = $2 and state = 'new'`,
    [key, fence, state, originId],
  );
  return done > 0;
}

/** Adds a post made elsewhere to the ledger. Index: placement_remote. */
export async function placeFound(tx: Queryable, watchedPostId: string, originId: string): Promise<void> {
  await tx.execute(
    `insert into placement (origin_id, identity_id, remote_id, duration_ms, normal_text, published_at)
     select $2, w.identity_id, w.remote_id, w.duration_ms, ${NORMAL_TEXT('w.text')}, w.published_at
     from watched_post w where w.id = $1 on conflict do nothing`,
    [watchedPostId, originId],
  );
}

/** The number of a target's last send. Index: primary key. */
export async function readSends(db: Queryable, targetId: string): Promise<number | undefined> {
  const [row] = await db.query<{ sends: number }>('select commit_number as sends from target where id = $1', [
    targetId,
  ]);
  return row?.sends;
}
