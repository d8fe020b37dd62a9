/**
 * User management for the operator, from the command line. Sign-up and sign-in in a browser are handled by better-auth.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { endGrantsOf } from '../accounts/tokens/token-store.ts';
import { anonymizeAudit, writeAudit } from '../audit/write-audit.ts';
import type { PlanName } from '../config/plan-names.ts';
import type { Database, Queryable } from '../db/database.ts';
import { MINUTE } from '../lib/time.ts';
import { lockLanes } from '../queue/lane-locks.ts';
import { countsOf, type RemainingAccess, revokeAccess } from './access-revocation.ts';
import { assertPasswordAllowed } from './password-policy.ts';
import { queueDeletionMail, queueSecurityMail } from './security-mail-store.ts';
import {
  deleteOwned,
  deleteVerifications,
  endSessions,
  findUser,
  identitiesOf,
  insertLogin,
  insertUser,
  listUsers,
  queueFiles,
  replacePassword,
  setColumn,
  type UserRow,
} from './user-store.ts';

export type LatePolicy = 'post' | 'skip';

export interface UserSummary {
  id: string;
  email: string;
  plan: PlanName;
  operator: boolean;
  suspended: boolean;
  late: LatePolicy;
  createdAt: string;
}

/**
 * Creates a user; the first one becomes the operator.
 * @returns the password if it was generated: it cannot be read again
 * @throws Error with a message if the email address is invalid or taken, or the password is not allowed
 */
export async function createUser(
  db: Database,
  user: { email: string; plan: PlanName; password?: string },
): Promise<{ id: string; operator: boolean; generatedPassword: string | null }> {
  const email = user.email.trim().toLowerCase();
  if (!z.email().safeParse(email).success) throw new Error(`"${user.email}" is not an email address.`);
  const generatedPassword = user.password === undefined ? makePassword() : null;
  const hash = await hashPassword(user.password ?? generatedPassword ?? '', email);
  const created = await db.transaction(async (tx) => {
    const row = await insertUser(tx, { email, name: email, plan: user.plan });
    if (!row) throw new Error(`User ${email} already exists.`);
    await insertLogin(tx, row.id, hash);
    await auditCommand(tx, row.id, 'user.create', user.plan);
    return row;
  });
  return { ...created, generatedPassword };
}

/** All users, oldest first. */
export async function listAllUsers(db: Database): Promise<UserSummary[]> {
  return (await listUsers(db)).map(summary);
}

/** @throws Error with a message if the user does not exist */
export async function getUser(db: Database, email: string): Promise<UserSummary> {
  const row = await findUser(db, email.trim().toLowerCase());
  if (!row) throw new Error(`User ${email} not found.`);
  return summary(row);
}

/**
 * Changes a user's plan. Existing data beyond the new plan's limits stays; nothing further is accepted.
 * @throws Error as {@link getUser}
 */
export async function setPlan(db: Database, email: string, plan: PlanName): Promise<void> {
  await change(db, email, { column: 'plan', value: plan, action: 'user.plan' });
}

/**
 * Sets what happens to posts that were due while no worker was alive.
 * @throws Error as {@link getUser}
 */
export async function setLate(db: Database, email: string, late: LatePolicy): Promise<void> {
  await change(db, email, { column: 'late', value: late, action: 'user.late' });
}

/**
 * Sets a password, ends the user's sessions and removes their passkeys; optionally also revokes the API key.
 * @returns the password if it was generated
 * @throws Error as {@link getUser}, or if the password is not allowed
 */
export async function setPassword(
  db: Database,
  email: string,
  {
    password,
    revokeKey = false,
    revokePasskeys = true,
  }: { password?: string; revokeKey?: boolean; revokePasskeys?: boolean } = {},
): Promise<{ generatedPassword: string | null } & RemainingAccess> {
  const user = await getUser(db, email);
  const generatedPassword = password === undefined ? makePassword() : null;
  const hash = await hashPassword(password ?? generatedPassword ?? '', user.email);
  const access = await db.transaction(async (tx) => {
    if (!(await replacePassword(tx, user.id, hash))) await insertLogin(tx, user.id, hash);
    await deleteVerifications(tx, user.id);
    await auditCommand(tx, user.id, 'password.change', user.id);
    const by = { actor: COMMAND_LINE };
    const left = await revokeAccess(tx, user.id, { apiKey: revokeKey, passkeys: revokePasskeys, by });
    // After the passkeys: one of them could begin another session before.
    await endSessions(tx, user.id);
    await queueSecurityMail(tx, user.id, { name: 'password_set', params: countsOf(left) });
    return left;
  });
  return { generatedPassword, ...access };
}

/**
 * Rejects all further requests of the user. Scheduled posts are still published.
 * @throws Error as {@link getUser}
 */
export async function suspendUser(db: Database, email: string): Promise<void> {
  const { id } = await getUser(db, email);
  await db.transaction(async (tx) => {
    await setColumn(tx, id, 'suspended', true);
    await endSessions(tx, id);
    await auditCommand(tx, id, 'user.suspend', id);
  });
}

/** @throws Error as {@link getUser} */
export async function resumeUser(db: Database, email: string): Promise<void> {
  await change(db, email, { column: 'suspended', value: false, action: 'user.resume' });
}

/** The actor in the audit trail. */
const COMMAND_LINE = 'command line';

/** A user may have years of posts. In ms. */
const DELETE_WITHIN_MS = 10 * MINUTE;

/**
 * Deletes a user with all their data: posts, rules, accounts, keys. Files and grants at the platforms are removed
 * afterwards, and the user is mailed. Published posts stay at the platforms, and a post being sent may still appear.
 * @param actor for the audit trail
 * @throws Error as {@link getUser}
 */
export async function deleteUser(db: Database, email: string, actor = COMMAND_LINE): Promise<void> {
  const { id } = await getUser(db, email);
  await db.within(DELETE_WITHIN_MS).transaction(async (tx) => {
    await lockLanes(tx, await identitiesOf(tx, id));
    await queueFiles(tx, id);
    await endGrantsOf(tx, id);
    await queueDeletionMail(tx, id);
    await deleteOwned(tx, id);
    await anonymizeAudit(tx, id);
    await writeAudit(tx, { userId: null, actor, action: 'user.delete', subject: id });
  });
}

async function change(
  db: Database,
  email: string,
  { column, value, action }: { column: 'plan' | 'late' | 'suspended'; value: string | boolean; action: string },
): Promise<void> {
  const { id } = await getUser(db, email);
  await db.transaction(async (tx) => {
    await setColumn(tx, id, column, value);
    await auditCommand(tx, id, action, typeof value === 'string' ? value : id);
  });
}

function auditCommand(tx: Queryable, userId: string, action: string, subject: string): Promise<void> {
  return writeAudit(tx, { userId, actor: COMMAND_LINE, action, subject });
}

function summary(row: UserRow): UserSummary {
  const { id, email, plan, operator, suspended, late } = row;
  return { id, email, plan, operator, suspended, late, createdAt: row.created_at.toISOString() };
}

function makePassword(): string {
  return randomBytes(15).toString('base64url');
}

async function hashPassword(password: string, email: string): Promise<string> {
  await assertPasswordAllowed(password, email);
  // Loading it takes 60 ms of CPU time, which most commands do not need.
  const { hashPassword } = await import('better-auth/crypto');
  return hashPassword(password);
}
