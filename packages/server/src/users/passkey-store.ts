/** SQL statements on passkeys. better-auth inserts them and updates their counters. */
import type { Queryable } from '../db/database.ts';

export interface PasskeyRow {
  id: string;
  name: string | null;
  created_at: Date;
  last_used_at: Date | null;
}

/** Oldest first. Index: `passkey_by_user`. */
export function listPasskeys(db: Queryable, userId: string): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>(
    'select id, name, created_at, last_used_at from auth.passkey where user_id = $1 order by created_at, id',
    [userId],
  );
}

/** Index: `passkey_by_user`. */
export async function countPasskeys(db: Queryable, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*) as count from auth.passkey where user_id = $1', [
    userId,
  ]);
  return row?.count ?? 0;
}

/** Returns null if the user has no such passkey. Index: primary key. */
export async function renamePasskey(
  db: Queryable,
  userId: string,
  id: string,
  name: string,
): Promise<PasskeyRow | null> {
  const [row] = await db.query<PasskeyRow>(
    `update auth.passkey set name = $3 where id = $1 and user_id = $2
     returning id, name, created_at, last_used_at`,
    [id, userId, name],
  );
  return row ?? null;
}

/** Returns false if the user has no such passkey. Index: primary key. */
export async function removePasskey(db: Queryable, userId: string, id: string): Promise<boolean> {
  return (await db.execute('delete from auth.passkey where id = $1 and user_id = $2', [id, userId])) > 0;
}

/** Removes all passkeys of the user, and returns their number. Index: `passkey_by_user`. */
export function removePasskeys(db: Queryable, userId: string): Promise<number> {
  return db.execute('delete from auth.passkey where user_id = $1', [userId]);
}

/** Index: `passkey_credential_id_key`. */
export async function findPasskeyOwner(db: Queryable, credentialId: string): Promise<string | null> {
  const [row] = await db.query<{ email: string }>(
    'select u.email from auth.passkey p join auth."user" u on u.id = p.user_id where p.credential_id = $1',
    [credentialId],
  );
  return row?.email ?? null;
}

/** Index: `passkey_credential_id_key`. */
export async function notePasskeyUse(db: Queryable, credentialId: string): Promise<void> {
  await db.execute('update auth.passkey set last_used_at = app_now() where credential_id = $1', [credentialId]);
}
