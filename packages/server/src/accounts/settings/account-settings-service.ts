/** Changes the platform settings of a connected account. */
import { writeAudit } from '../../audit/write-audit.ts';
import type { Connector } from '../../connectors/contract.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { apiError } from '../../errors/reelay-error.ts';
import { isUuid } from '../../lib/ids.ts';
import { checkChoices, type StoredValues } from './account-settings.ts';

export interface ChoicesRequest {
  userId: string;
  accountId: string;
  /** By name of the choice: a value or its label. */
  choices: Record<string, string>;
  /** Who asks, for the audit log: `session`, `command line`. */
  actor: string;
}

/**
 * Changes the given choices and leaves the others unchanged. Posts that have not started use the new values.
 * @throws ReelayError `unknown_platform`; `invalid_request` listing the possible choices or values
 */
export async function setChoices(
  { db, connectors }: { db: Database; connectors: Readonly<Record<string, Pick<Connector, 'choices'>>> },
  { userId, accountId, choices, actor }: ChoicesRequest,
): Promise<void> {
  await db.transaction(async (tx) => {
    const account = isUuid(accountId) ? await lockOwn(tx, userId, accountId) : null;
    if (!account) throw apiError('account_not_found', { id: accountId });
    const made = checkChoices(connectors[account.platform]?.choices ?? [], choices, account.choiceValues);
    await tx.execute('update account set choices = choices || $2::jsonb where id = $1', [
      accountId,
      JSON.stringify(made),
    ]);
    await writeAudit(tx, { userId, actor, action: 'account.choose', subject: accountId });
  });
}

/** Locks the account, so that reconnecting and changing choices do not overwrite each other. Index: primary key. */
async function lockOwn(tx: Queryable, userId: string, accountId: string) {
  const [row] = await tx.query<{ platform: string; choiceValues: StoredValues }>(
    `select platform, choice_values as "choiceValues" from account
     where id = $1 and user_id = $2 and status <> 'DISCONNECTED' for no key update`,
    [accountId, userId],
  );
  return row ?? null;
}
