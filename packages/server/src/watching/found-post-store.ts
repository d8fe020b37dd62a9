/** SQL that compares found posts with our own and records what they are. */
import type { Queryable } from '../db/database.ts';
import { DAY } from '../lib/time.ts';
import { SAME_WITHIN_MS } from '../lineage/content.ts';
import { reviseReposts } from '../lineage/firings.ts';
import type { KnownPost, MatchFacts, NamelessPost, UnprovenTarget } from '../lineage/match.ts';
import { placeElsewhere } from '../lineage/placement.ts';
import { SENT_FROM } from '../lineage/sent-from.ts';
import { TARGET_TEXT } from '../lineage/target-text.ts';
import { type DueRows, dueRows } from '../queue/claim.ts';

/** A found post that is compared with our own. */
export interface FoundRow {
  id: string;
  identity_id: string;
  remote_id: string;
  published_at: Date;
  found_at: Date;
  text: string;
  url: string | null;
  duration_ms: number | null;
  is_measured: boolean;
  state: 'new' | 'own' | 'foreign' | 'echo';
}

/** Index: watched_post_due. */
export const dueFound: DueRows<FoundRow> = dueRows<FoundRow>('watched_post', { user: 'user_id' });

const DAYS = `${SAME_WITHIN_MS / DAY} * interval '1 day'`;

/** Posts of an account without a remote id that are compared. */
const MAX_NAMELESS = 500;

/**
 * Reads what is known of the post's identity. Call it with the identity's lane locked: then no send begins or ends
 * meanwhile. Indexes: placement_remote, target_due, target_unknown, placement_nameless, primary keys.
 */
export async function readMatchFacts(tx: Queryable, post: FoundRow): Promise<MatchFacts> {
  const [known] = await tx.query<KnownPost>(
    `select origin_id as "originId", user_id as "userId", target_id is not null as "isOurs",
       is_unclear as "isUnclear", normal_text as text
     from placement where identity_id = $1 and remote_id = $2`,
    [post.identity_id, post.remote_id],
  );
  return {
    post: {
      publishedAt: post.published_at.getTime(),
      foundAt: post.found_at.getTime(),
      text: post.text,
      durationMs: post.duration_ms,
    },
    known: known ?? null,
    unproven: await readUnproven(tx, post.identity_id, post.published_at),
    nameless: await tx.query<NamelessPost>(
      `select id as "placementId", origin_id as "originId", normal_text as text, duration_ms as "durationMs"
       from placement where identity_id = $1 and remote_id is null
         and published_at between $2::timestamptz - ${DAYS} and $2::timestamptz + ${DAYS}
       order by published_at limit ${MAX_NAMELESS}`,
      [post.identity_id, post.published_at],
    ),
  };
}

/**
 * Targets of an identity whose outcome is not known, or was not when we gave up. A post may be found long after it was
 * published, so those count that were given up shortly before it or later. Indexes: target_due, target_unknown.
 */
export async function readUnproven(tx: Queryable, identityId: string, publishedAt: Date): Promise<UnprovenTarget[]> {
  const rows = await tx.query<Omit<UnprovenTarget, 'sentFrom'> & { sentFrom: Date | null }>(
    `select t.id, case when t.state = 'failed' then 'gaveUp' else 'open' end as outcome, ${SENT_FROM} as "sentFrom",
       ${TARGET_TEXT} as text, (m.facts->>'durationMs')::float8 as "durationMs"
     from target t join post p on p.id = t.post_id join media m on m.id = p.media_id
     where t.identity_id = $1 and t.committed_at is not null
       and ((t.due_at is not null and t.state in ('committing', 'unknown', 'confirming'))
         or (t.code = 'outcome_unknown' and t.settled_at > $2::timestamptz - ${DAYS}))`,
    [identityId, publishedAt],
  );
  return rows.map((target) => ({ ...target, sentFrom: target.sentFrom?.getTime() ?? null }));
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

/**
 * Notes that a post of ours was edited before the first check that found it. Later edits are noted by the check itself.
 * Index: primary key.
 */
export async function noteEarlyEdit(tx: Queryable, id: string): Promise<void> {
  await tx.execute('update watched_post set edited_at = app_now() where id = $1 and edited_at is null', [id]);
  await reviseReposts(tx, [id]);
}

/** Adds a post made elsewhere to the ledger. Index: placement_remote. */
export async function placeFound(
  tx: Queryable,
  post: FoundRow,
  { originId, isUnclear }: { originId: string; isUnclear: boolean },
): Promise<void> {
  await placeElsewhere(tx, {
    originId,
    identityId: post.identity_id,
    remoteId: post.remote_id,
    text: post.text,
    durationMs: post.duration_ms,
    isMeasured: post.is_measured,
    isUnclear,
    publishedAt: post.published_at,
  });
}

/** Gives a post of ours its remote id and URL, in the ledger and in the history. Index: primary keys. */
export async function namePlacement(tx: Queryable, placementId: string, post: FoundRow): Promise<void> {
  await tx.execute(
    `with named as (update placement set remote_id = $2 where id = $1 and remote_id is null returning target_id)
     update target t set remote_id = $2, url = $3, version = version + 1 from named
     where t.id = named.target_id and t.remote_id is null`,
    [placementId, post.remote_id, post.url],
  );
}

/** The number of a target's last send. Index: primary key. */
export async function readSends(db: Queryable, targetId: string): Promise<number | undefined> {
  const [row] = await db.query<{ sends: number }>('select commit_number as sends from target where id = $1', [
    targetId,
  ]);
  return row?.sends;
}
