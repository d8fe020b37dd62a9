/** What can still sign in or act for a user after their password was replaced. */
import { type AuditEntry, writeAudit } from '../audit/write-audit.ts';
import type { Queryable } from '../db/database.ts';
import { deactivate, findKey } from '../keys/key-store.ts';
import { countPasskeys, removePasskeys } from './passkey-store.ts';

/**
 * State of the user's API key after a password change. A password change alone does not revoke it, because programs
 * depend on it.
 */
export type ApiKeyState = 'none' | 'active' | 'revoked';

export interface RemainingAccess {
  apiKey: ApiKeyState;
  /** Number of passkeys that can still sign in. */
  passkeys: number;
  revokedPasskeys: number;
}

export interface Revocation {
  apiKey: boolean;
  passkeys: boolean;
  by: Pick<AuditEntry, 'actor' | 'address'>;
}

/** Revokes what is requested, in the transaction that ends the sessions, and returns what is left. */
export async function revokeAccess(
  tx: Queryable,
  userId: string,
  { apiKey, passkeys, by }: Revocation,
): Promise<RemainingAccess> {
  const revokedPasskeys = passkeys ? await removePasskeys(tx, userId) : 0;
  if (apiKey) await deactivate(tx, userId);
  const record = (action: string) => writeAudit(tx, { userId, subject: userId, ...by, action });
  if (apiKey) await record('key.revoke');
  if (revokedPasskeys > 0) await record('passkey.remove');
  const key = await findKey(tx, userId);
  const state = key?.is_active ? 'active' : 'revoked';
  return { apiKey: key ? state : 'none', passkeys: await countPasskeys(tx, userId), revokedPasskeys };
}

/** The numbers of passkeys, for a mail. */
export function countsOf({ passkeys, revokedPasskeys }: RemainingAccess) {
  return { passkeys, revokedPasskeys };
}
