/** Changes which posts count as one content. */
import type { Transaction } from '../db/database.ts';
import { uuidv7 } from '../ids.ts';
import { OCCUPIES } from './occupancy.ts';

/** Joins wait for each other, so that two of them never lock the same rows in different orders. Arbitrary, unique. */
const JOIN_LOCK = 7_305_014;

/** The origin `$1` becomes `$2`. Targets come first: what a publisher writes meanwhile is visible to what follows. */
const JOIN = [
  `update target set origin_id = $2 where origin_id = $1 and ${OCCUPIES('target')}`,
  `update target set origin_id = $2 where origin_id = $1 and state = 'failed'`,
  'update placement set origin_id = $2 where origin_id = $1',
  `update post set origin_id = $2 where origin_id = $1 and id in (select post_id from target where origin_id = $2)`,
  `update watched_post w set origin_id = $2 from placement p
   where p.origin_id = $2 and w.identity_id = p.identity_id and w.remote_id = p.remote_id and w.origin_id = $1`,
  `update firing f set origin_id = $2 from placement p join account a on a.identity_id = p.identity_id
     join rule r on r.from_account = a.id
   where p.origin_id = $2 and f.rule_id = r.id and f.origin_id = $1`,
];

/** Waits for other joins. Whether two contents may be joined is compared after it, because another join changes that. */
export async function lockJoins(tx: Transaction): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [JOIN_LOCK]);
}

/**
 * Makes two contents one. Call it after {@link lockJoins}, only if no account has both, and with the lane of an account
 * locked on which they meet. Indexes: target_lineage, target_failed_origin, placement_lineage, unique keys of watched_post
 * and firing.
 */
export async function joinOrigins(tx: Transaction, from: string, into: string): Promise<void> {
  for (const statement of JOIN) await tx.execute(statement, [from, into]);
}

/** A post on a source: one of ours, or a found one. */
export interface SourcePost {
  target_id: string | null;
  watched_post_id: string | null;
}

/**
 * Gives a post on a source an origin of its own, because its user says that it is no copy. Indexes: primary keys, unique
 * keys of placement, rule_source, firing_watched.
 */
export async function splitOrigin(tx: Transaction, post: SourcePost): Promise<void> {
  const origin = uuidv7();
  if (post.target_id !== null) {
    const values = [post.target_id, origin];
    await tx.execute('update target set origin_id = $2 where id = $1', values);
    await tx.execute('update placement set origin_id = $2 where target_id = $1', values);
    await tx.execute(
      `update firing f set origin_id = $2 from rule r
       where f.target_id = $1 and f.rule_id = r.id
         and r.from_account = (select account_id from target where id = $1)`,
      values,
    );
    return;
  }
  const values = [post.watched_post_id, origin];
  await tx.execute(
    `update placement p set origin_id = $2 from watched_post w
     where w.id = $1 and p.identity_id = w.identity_id and p.remote_id = w.remote_id`,
    values,
  );
  await tx.execute('update watched_post set origin_id = $2 where id = $1', values);
  await tx.execute('update firing set origin_id = $2 where watched_post_id = $1', values);
}
