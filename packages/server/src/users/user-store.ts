/** SQL statements on users and their sessions. */
import type { PlanName } from '../config/plan-names.ts';
import type { Queryable } from '../db/database.ts';
import { reopenLeftOut } from '../lineage/firings.ts';
import type { Language } from '../messages/languages.ts';

export interface UserRow {
  id: string;
  email: string;
  plan: PlanName;
  operator: boolean;
  suspended: boolean;
  late: 'post' | 'skip';
  created_at: Date;
}

const COLUMNS = 'id, email, plan, operator, suspended, late, created_at';

/** Index: `user_email_key`. */
export async function findUser(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>(`select ${COLUMNS} from auth."user" where email = $1`, [email]);
  return row;
}

/** The columns that users see of their own row. */
export interface OwnUserRow extends UserRow {
  name: string;
  /** IANA time zone. */
  zone: string;
  /** null: not chosen. */
  language: Language | null;
  /** Whether sign-in requires a second factor. */
  two_factor_enabled: boolean;
}

/** Index: primary key. */
export async function findOwnUser(db: Queryable, userId: string): Promise<OwnUserRow | undefined> {
  const [row] = await db.query<OwnUserRow>(
    `select ${COLUMNS}, name, zone, language, two_factor_enabled from auth."user" where id = $1`,
    [userId],
  );
  return row;
}

/** Settings that users change themselves. */
export interface OwnUserChange {
  name?: string | undefined;
  zone?: string | undefined;
  late?: string | undefined;
  language?: Language | undefined;
}

/** Changes the settings that are given. Index: primary key. */
export async function updateOwnUser(
  db: Queryable,
  userId: string,
  { name, zone, late, language }: OwnUserChange,
): Promise<void> {
  await db.execute(
    `update auth."user" set name = coalesce($2, name), zone = coalesce($3, zone), late = coalesce($4, late),
       language = coalesce($5, language), updated_at = app_now()
     where id = $1`,
    [userId, name ?? null, zone ?? null, late ?? null, language ?? null],
  );
}

/** Oldest first. */
export function listUsers(db: Queryable): Promise<UserRow[]> {
  return db.query<UserRow>(`select ${COLUMNS} from auth."user" order by created_at, id`);
}

export async function anyUser(db: Queryable): Promise<boolean> {
  return (await db.query('select from auth."user" limit 1')).length > 0;
}

/** Index: none. Stops at the second row. */
export async function anyOtherUser(db: Queryable, userId: string): Promise<boolean> {
  return (await db.query('select from auth."user" where id <> $1 limit 1', [userId])).length > 0;
}

/**
 * Inserts a user. A trigger makes the first one the operator. Index: `user_email_key`.
 * @returns null if the email address is taken
 */
export async function insertUser(
  db: Queryable,
  user: { email: string; name: string; plan: PlanName },
): Promise<{ id: string; operator: boolean } | null> {
  const [row] = await db.query<{ id: string; operator: boolean }>(
    `insert into auth."user" (name, email, plan) values ($1, $2, $3)
     on conflict (email) do nothing returning id, operator`,
    [user.name, user.email, user.plan],
  );
  return row ?? null;
}

/** Inserts the row in which better-auth stores a password. */
export async function insertLogin(db: Queryable, userId: string, hash: string): Promise<void> {
  await db.execute(
    `insert into auth.account (user_id, account_id, provider_id, password) values ($1::uuid, $1::uuid::text, 'credential', $2)`,
    [userId, hash],
  );
}

/** Replaces the password. Returns false if the user has none yet. Index: `account_by_user`. */
export async function replacePassword(db: Queryable, userId: string, hash: string): Promise<boolean> {
  const changed = await db.execute(
    `update auth.account set password = $2, updated_at = app_now() where user_id = $1 and provider_id = 'credential'`,
    [userId, hash],
  );
  return changed > 0;
}

/** Invalidates links and pending sign-ins that were issued to the user. Few rows exist, so it needs no index. */
export async function deleteVerifications(db: Queryable, userId: string): Promise<void> {
  await db.execute('delete from auth.verification where value = $1', [userId]);
}

/** Index: `session_by_user`. */
export async function endSessions(db: Queryable, userId: string): Promise<void> {
  await db.execute('delete from auth.session where user_id = $1', [userId]);
}

/** Extends a session: it expires `idleDays` from now, at most `days` after its start. Index: primary key. */
export async function moveSessionEnd(
  db: Queryable,
  sessionId: string,
  { days, idleDays }: { days: number; idleDays: number },
): Promise<void> {
  await db.execute(
    `update auth.session set updated_at = now(),
       expires_at = least(created_at + make_interval(days => $2), now() + make_interval(days => $3))
     where id = $1 and expires_at > now()`,
    [sessionId, days, idleDays],
  );
}

/** Index: primary key. */
export async function setColumn(
  db: Queryable,
  userId: string,
  column: 'plan' | 'late' | 'suspended',
  value: string | boolean,
): Promise<void> {
  await db.execute(`update auth."user" set ${column} = $2, updated_at = app_now() where id = $1`, [userId, value]);
}

/** Index: `account_listing`. */
export async function identitiesOf(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db.query<{ identity_id: string }>('select identity_id from account where user_id = $1', [userId]);
  return rows.map((row) => row.identity_id);
}

/** Schedules the removal of the user's files. Indexes: `media_user`, `account_listing`, `upload_user`. */
export async function queueFiles(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(
    `insert into file_removal (storage_key)
     select storage_key from media where user_id = $1
     union select 'pictures/' || thumbnail from media where user_id = $1
     union select 'pictures/' || avatar from account where user_id = $1 and avatar is not null
     union select 'uploads/' || id || '.' || file from upload where user_id = $1 and used_at is null
     on conflict do nothing`,
    [userId],
  );
}

/**
 * One statement per table, referencing tables first. The rest is deleted by cascade with the user's row. Other users'
 * rules decide again about items that the deleted posts would have covered. Call it with the lanes of the accounts locked.
 */
export async function deleteOwned(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(
    `with removed as (delete from post where user_id = $1 returning id), ${reopenLeftOut('removed')} select`,
    [userId],
  );
  await tx.execute('delete from rule where user_id = $1', [userId]);
  await tx.execute('delete from account where user_id = $1', [userId]);
  // Before the user, because open event streams end only if the user still exists.
  await endSessions(tx, userId);
  await tx.execute('delete from auth."user" where id = $1', [userId]);
}

export async function installationId(db: Queryable): Promise<string> {
  const [row] = await db.query<{ id: string }>('select id from installation');
  return row?.id ?? '';
}
