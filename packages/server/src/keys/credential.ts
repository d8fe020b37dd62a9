/** Verifies a caller again, long after the request began. */
import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';

/** A user and the credential with which they called: the hash of an API key, or a session. */
export interface Credential {
  userId: string;
  by: { kind: 'key'; hash: Buffer } | { kind: 'session'; id: string };
}

/**
 * Verifies the caller in the transaction that writes the result of a long upload. Nothing is stored if meanwhile the key
 * was revoked, the session ended or the user was suspended.
 * @throws ReelayError `account_suspended`, even if the suspension ended the session; otherwise `unauthorized`
 */
export async function assertStillAuthorized(tx: Queryable, { userId, by }: Credential): Promise<void> {
  if (await isSuspended(tx, userId)) throw new ReelayError('account_suspended');
  const active = by.kind === 'key' ? await isKeyActive(tx, by.hash) : await isSessionActive(tx, by.id);
  if (!active) throw new ReelayError('unauthorized');
}

/**
 * As {@link assertStillAuthorized}, for what a session or the command line started.
 * @param sessionId null: no session
 */
export async function assertStillWanted(tx: Queryable, userId: string, sessionId: string | null): Promise<void> {
  if (await isSuspended(tx, userId)) throw new ReelayError('account_suspended');
  if (sessionId !== null && !(await isSessionActive(tx, sessionId))) throw new ReelayError('unauthorized');
}

/** Index: primary key. */
async function isSuspended(tx: Queryable, userId: string): Promise<boolean> {
  return (await tx.query('select from auth."user" where id = $1 and suspended', [userId])).length > 0;
}

/** Locks the key, so that a revocation waits for the transaction. Index: `api_key_hash_key`. */
async function isKeyActive(tx: Queryable, hash: Buffer): Promise<boolean> {
  const rows = await tx.query('select from api_key where hash = $1 and is_active for share', [hash]);
  return rows.length > 0;
}

/** Locks the session, so that signing out waits for the transaction. Index: primary key. */
async function isSessionActive(tx: Queryable, sessionId: string): Promise<boolean> {
  const rows = await tx.query('select from auth.session where id = $1 and expires_at > now() for share', [sessionId]);
  return rows.length > 0;
}
