/** SQL of API keys: one row per user, found by hash. */
import type { PlanName } from '../config/plan-names.ts';
import type { Queryable } from '../db/database.ts';

export interface KeyRow {
  prefix: string;
  is_active: boolean;
  last_used_at: Date | null;
  created_at: Date;
}

export interface KeyOwner {
  /** Hash of the key. */
  hash: Buffer;
  user_id: string;
  email: string;
  plan: PlanName;
  operator: boolean;
  suspended: boolean;
  /** IANA time zone. */
  zone: string;
  /** The time of last use must be updated. */
  stale: boolean;
}

/** The owners of those keys that are active. Index: `api_key_hash_key`, primary key of the user. */
export function findOwners(db: Queryable, hashes: readonly Buffer[]): Promise<KeyOwner[]> {
  return db.query<KeyOwner>(
    `select k.hash, u.id as user_id, u.email, u.plan, u.operator, u.suspended, u.zone,
       k.last_used_at is null or k.last_used_at <= app_now() - interval '1 minute' as stale
     from api_key k join auth."user" u on u.id = k.user_id
     where k.hash = any($1) and k.is_active`,
    [hashes],
  );
}

/** Updates the time of last use, at most once a minute. Index: `api_key_hash_key`. */
export async function touch(db: Queryable, hash: Buffer): Promise<void> {
  await db.execute(
    `update api_key set last_used_at = app_now()
     where hash = $1 and (last_used_at is null or last_used_at <= app_now() - interval '1 minute')`,
    [hash],
  );
}

/** Replaces the key in one statement: the new one is valid and the old one is not. Index: primary key. */
export async function replaceKey(db: Queryable, userId: string, hash: Buffer, prefix: string): Promise<void> {
  await db.execute(
    `insert into api_key (user_id, hash, prefix, created_at) values ($1, $2, $3, app_now())
     on conflict (user_id) do update
       set hash = excluded.hash, prefix = excluded.prefix, is_active = true, created_at = app_now(), last_used_at = null`,
    [userId, hash, prefix],
  );
}

/** Index: primary key. */
export function deactivate(db: Queryable, userId: string): Promise<number> {
  return db.execute('update api_key set is_active = false where user_id = $1', [userId]);
}

/** Index: primary key. */
export async function findKey(db: Queryable, userId: string): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(
    'select prefix, is_active, last_used_at, created_at from api_key where user_id = $1',
    [userId],
  );
  return row;
}
