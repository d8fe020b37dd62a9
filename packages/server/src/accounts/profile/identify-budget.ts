/** The budget of platforms that count a read of an account, whenever an account is connected or read again. */
import type { Database } from '../../db/database.ts';
import { say } from '../../messages/timeline.ts';
import { BudgetEmpty, type Failure } from '../../outbound/platform-error.ts';
import { type Spender, spend } from '../../publishing/budgets.ts';
import { ShareUsed } from '../../publishing/fair-share.ts';
import type { Platforms } from '../apps/platforms.ts';

/**
 * Takes a use of the budget that the platform counts. Accounts of the sandbox take none.
 * @param share the part of the budget that may be used
 * @returns why none is left, or null
 */
export async function spendIdentify(
  { db, platforms }: { db: Database; platforms: Pick<Platforms, 'connector'> },
  account: Spender & { platform: string; sandbox: boolean },
  share: number,
): Promise<Failure | null> {
  const connector = platforms.connector(account.platform);
  if (connector.identifyBudget === undefined || account.sandbox) return null;
  try {
    await spend(db, connector, connector.identifyBudget, account, share);
    return null;
  } catch (error) {
    if (!(error instanceof BudgetEmpty)) throw error;
    const detail = say(error instanceof ShareUsed ? 'share_used' : 'budget_used');
    return { kind: 'rateLimited', scope: 'app', window: error.window, waitMs: error.waitMs, detail };
  }
}
