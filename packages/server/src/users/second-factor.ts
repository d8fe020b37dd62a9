/** The second factor of sign-in, for the operator and for key rotation. Sign-in itself is handled by better-auth. */
import { writeAudit } from '../audit/write-audit.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Database, Queryable } from '../db/database.ts';
import { getUser } from './service.ts';
import { LOCK_MINUTES } from './session-life.ts';
import { libraryKey } from './session-secrets.ts';
import { deleteVerifications } from './user-store.ts';

/**
 * Removes a user's second factor, such as after the loss of a phone. The password alone is then enough. A trigger mails
 * the user.
 * @returns false if the user had none
 * @throws Error with a message if the user does not exist
 */
export async function removeSecondFactor(db: Database, email: string): Promise<boolean> {
  const { id } = await getUser(db, email);
  return db.transaction(async (tx) => {
    const removed = await tx.execute('delete from auth.two_factor where user_id = $1', [id]);
    await tx.execute('update auth."user" set two_factor_enabled = false, updated_at = app_now() where id = $1', [id]);
    await deleteVerifications(tx, id);
    if (removed === 0) return false;
    await writeAudit(tx, { userId: id, actor: 'command line', action: 'second-factor.disable', subject: id });
    return true;
  });
}

/** Returns how long a locked second factor stays locked, in seconds: from 1 to the whole time. Indexes: user_email_key, two_factor_user_id_key. */
export async function secondsLocked(db: Queryable, email: string): Promise<number> {
  const [row] = await db.query<{ until: Date | null }>(
    `select f.locked_until as until from auth.two_factor f join auth."user" u on u.id = f.user_id where u.email = $1`,
    [email],
  );
  // better-auth compares it with this clock too.
  const seconds = Math.ceil(((row?.until?.getTime() ?? 0) - Date.now()) / 1_000);
  return Math.min(Math.max(seconds, 1), LOCK_MINUTES * 60);
}

/** Re-encrypts all second factors with the current secret. Safe to run beside the service, and to repeat. */
export async function resealSecondFactors(
  db: Database,
  secrets: Pick<Secrets, 'session' | 'previousSessions'>,
): Promise<{ what: string; renewed: number; lost: number }> {
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto');
  const key = libraryKey(secrets);
  const counted = { what: 'second factors', renewed: 0, lost: 0 };
  const rows = await db.query<{ id: string; secret: string; backup_codes: string }>(
    'select id, secret, backup_codes from auth.two_factor where not starts_with(secret, $1) or not starts_with(backup_codes, $1)',
    [`$ba$${key.currentVersion}$`],
  );
  const renew = async (data: string) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
  for (const row of rows) {
    const next = await Promise.all([renew(row.secret), renew(row.backup_codes)]).catch(() => null);
    if (!next) counted.lost++;
    // If a value changed meanwhile, the service has encrypted it with the current secret.
    else
      counted.renewed += await db.execute(
        'update auth.two_factor set secret = $4, backup_codes = $5 where id = $1 and secret = $2 and backup_codes = $3',
        [row.id, row.secret, row.backup_codes, ...next],
      );
  }
  return counted;
}
