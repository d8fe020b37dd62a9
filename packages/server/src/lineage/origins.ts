/** Changes which posts count as one content. */
import type { Database, Transaction } from '../db/database.ts';
import { uuidv7 } from '../lib/ids.ts';
import { OCCUPIES } from './occupancy.ts';

/** Arbitrary, unique. */
const ORIGINS_LOCK = 7_305_014;

/**
 * Holds the origins of all posts. A transaction that reads an origin and writes rows with it shares them: no row keeps the
 * origin that a content had before a join. One that changes origins holds them alone. Call it first: in the lock order,
 * origins come before lanes, and who shares them can no longer hold them alone.
 */
export async function holdOrigins(tx: Transaction, { alone }: { alone: boolean }): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock${alone ? '' : '_shared'}($1)`, [ORIGINS_LOCK]);
}

/** Thrown when a decision must join or split contents, but shares the origins. Nothing was written. */
export class JoinNeeded extends Error {}

/** Runs a decision in a transaction that shares the origins; again, and alone, if it must change them. */
export async function decideOrigins<T>(
  db: Database,
  decide: (tx: Transaction, canJoin: boolean) => Promise<T>,
): Promise<T> {
  const run = (alone: boolean) =>
    db.transaction(async (tx) => {
      await holdOrigins(tx, { alone });
      return decide(tx, alone);
    });
  try {
    return await run(false);
  } catch (error) {
    if (!(error instanceof JoinNeeded)) throw error;
    return run(true);
  }
}

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

/**
 * Makes two contents one. Call it while the origins are held alone, only if no account has both, and with the lane of an
 * account locked on which they meet. Indexes: target_lineage, target_failed_origin, placement_lineage, unique keys of
 * watched_post and firing.
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
 * Gives a post on a source an origin of its own, because its user says that it is no copy. Call it while the origins are
 * held alone. Indexes: primary keys, unique
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
