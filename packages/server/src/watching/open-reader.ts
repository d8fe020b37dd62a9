/** Opens a connected account for reading its platform. */
import type { Database } from '../db/database.ts';
import { MINUTE } from '../lib/time.ts';
import { databaseNow } from '../posts/post-store.ts';
import { type Spender, spend } from '../publishing/budgets.ts';
import type { OpenAccount, SessionSource } from '../publishing/sessions.ts';

/** Minimum remaining lifetime of the token, in ms. */
const MIN_LIFE_MS = MINUTE;
/** The part of a limit that regular reading may use. The rest is left to publishing. */
export const READING_SHARE = 0.5;

/**
 * Opens the account with the database's clock.
 * @param share part of the limits that may be used
 * @returns the account, and when it was opened, in ms since the epoch by the database's clock
 * @throws PlatformError
 */
export async function openReader(
  { db, sessions }: { db: Database; sessions: SessionSource },
  account: Spender & { platform: string },
  share: number,
): Promise<OpenAccount & { startedAt: number }> {
  const connector = sessions.connector(account.platform);
  const startedAt = await databaseNow(db);
  const mark = performance.now();
  const open = await sessions.open(account.accountId, {
    minLifeMs: MIN_LIFE_MS,
    spend: (budget) => spend(db, connector, budget, account, share),
    now: () => Math.floor(startedAt + (performance.now() - mark)),
  });
  return { ...open, startedAt };
}
