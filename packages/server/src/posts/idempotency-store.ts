/** SQL of idempotency records. */
import type { Queryable } from '../db/database.ts';
import type { CreatedPost } from './types.ts';

interface Owned {
  userId: string;
  key: string;
  owner: string;
}

/** A request with a recorded response. */
export interface Finished {
  content: Buffer;
  answer: CreatedPost;
}

/**
 * Takes a key that is new, older than a day, or left by a request that died.
 * @returns false if another request holds or used it. Index: primary key.
 */
export async function claim(db: Queryable, { userId, key, owner }: Owned, leaseMs: number): Promise<boolean> {
  const taken = await db.execute(
    `insert into idempotency as i (user_id, key, owner, lease_until, created_at)
     values ($1, $2, $3, app_now() + $4::float8 * interval '1 ms', app_now())
     on conflict (user_id, key) do update set owner = excluded.owner, lease_until = excluded.lease_until,
       created_at = excluded.created_at, content = null, answer = null, post_id = null
     where case when i.answer is null then i.lease_until <= app_now()
       else i.created_at <= app_now() - interval '24 hours' end`,
    [userId, key, owner, leaseMs],
  );
  return taken > 0;
}

/** Index: primary key. */
export async function findRecord(
  db: Queryable,
  userId: string,
  key: string,
): Promise<{ content: Buffer | null; answer: CreatedPost | null } | undefined> {
  const [row] = await db.query<{ content: Buffer | null; answer: CreatedPost | null }>(
    'select content, answer from idempotency where user_id = $1 and key = $2',
    [userId, key],
  );
  return row;
}

const OURS = 'user_id = $1 and key = $2 and owner = $3 and answer is null';

/** Index: primary key. */
export async function renew(db: Queryable, { userId, key, owner }: Owned, leaseMs: number): Promise<void> {
  await db.execute(`update idempotency set lease_until = app_now() + $4::float8 * interval '1 ms' where ${OURS}`, [
    userId,
    key,
    owner,
    leaseMs,
  ]);
}

/** @returns false if the key is no longer ours. Index: primary key. */
export async function complete(
  tx: Queryable,
  { userId, key, owner }: Owned,
  content: Buffer,
  response: CreatedPost,
): Promise<boolean> {
  const done = await tx.execute(
    `update idempotency set content = $4, answer = $5, post_id = $6, lease_until = null where ${OURS}`,
    [userId, key, owner, content, JSON.stringify(response), response.historyId],
  );
  return done > 0;
}

/** Index: primary key. */
export async function release(db: Queryable, { userId, key, owner }: Owned): Promise<void> {
  await db.execute(`delete from idempotency where ${OURS}`, [userId, key, owner]);
}
