/** Gives a post back to its target that was found before its send was proven, and was taken for one made elsewhere. */
import type { Database, Transaction } from '../db/database.ts';
import { lockLanes } from '../queue/lane-locks.ts';
import { OWN_CLOCK_SLACK_MS } from './match.ts';
import { HAS_CONTENT, IDENTITIES_OF } from './occupancy.ts';
import { holdOrigins, joinOrigins } from './origins.ts';
import { SENT_FROM } from './sent-from.ts';

interface Mistaken {
  placementId: string;
  watchedPostId: string;
  /** Origin of the found post, and of the target. */
  from: string;
  into: string;
}

/** A found post cannot be ours if it was known before the send. */
const FIND = `select p.id as "placementId", w.id as "watchedPostId", p.origin_id as "from", t.origin_id as "into"
  from target t join placement p on p.identity_id = t.identity_id and p.remote_id = $2
    join watched_post w on w.identity_id = p.identity_id and w.remote_id = p.remote_id
  where t.id = $1 and t.state <> 'posted' and p.target_id is null and p.user_id is null
    and w.found_at >= ${SENT_FROM} - ${OWN_CLOCK_SLACK_MS} * interval '1 millisecond'`;

/**
 * The post counts as the target's then, and what rules have reposted of it as reposts of the target. Call it when a
 * platform has named the post as the result of the target's send, before the target is recorded as posted.
 * @returns false if nothing was taken for another post, the post cannot be the target's, or the target is posted already. Indexes: placement_remote,
 * unique keys of watched_post and firing.
 */
export async function reclaimPost(db: Database, targetId: string, remoteId: string): Promise<boolean> {
  const [seen] = await db.query<{ identityId: string }>(
    `select t.identity_id as "identityId" from target t where t.id = $1 and exists (${FIND})`,
    [targetId, remoteId],
  );
  if (!seen) return false;
  return db.transaction(async (tx) => {
    await holdOrigins(tx, { alone: true });
    await lockLanes(tx, [seen.identityId]);
    const [mistaken] = await tx.query<Mistaken>(FIND, [targetId, remoteId]);
    if (mistaken) await giveBack(tx, targetId, mistaken);
    return mistaken !== undefined;
  });
}

async function giveBack(tx: Transaction, targetId: string, { placementId, watchedPostId, from, into }: Mistaken) {
  await tx.execute('delete from placement where id = $1', [placementId]);
  await tx.execute(`update watched_post set state = 'own', origin_id = $2 where id = $1`, [watchedPostId, into]);
  // What these rules have not reposted, they decide again about the target, whose file is here.
  await tx.execute(
    `delete from firing f using rule r, target t
     where t.id = $2 and r.from_account = t.account_id and f.rule_id = r.id and f.origin_id = $1
       and f.watched_post_id = $3 and f.state <> 'reposted'`,
    [from, targetId, watchedPostId],
  );
  await tx.execute(
    `update firing f set origin_id = $2 where f.watched_post_id = $3 and f.origin_id = $1
       and not exists (select from firing o where o.rule_id = f.rule_id and o.origin_id = $2)`,
    [from, into, watchedPostId],
  );
  const [both] = await tx.query(
    `select from (${IDENTITIES_OF('$1::uuid')}) mine where ${HAS_CONTENT('$2::uuid', 'mine.identity_id')} limit 1`,
    [from, into],
  );
  // An account that has the post twice has two contents.
  if (!both) await joinOrigins(tx, from, into);
}
