/** When reading is tried again that a budget does not allow, and why it waits. */
import type { Database } from '../db/database.ts';
import { MINUTE } from '../lib/time.ts';
import type { Message } from '../messages/message.ts';
import { say as sayRule } from '../messages/rules.ts';
import { say } from '../messages/watching.ts';
import type { BudgetEmpty } from '../outbound/platform-error.ts';
import { databaseNow } from '../posts/post-store.ts';
import { ReadsUsed } from '../publishing/charged-reads.ts';
import { ShareUsed } from '../publishing/fair-share.ts';

/** Reading that waits for the next day begins within this time, not all at midnight. */
const SPREAD_MS = 15 * MINUTE;

/** @param random 0 to 1 */
export async function waitFor(
  db: Database,
  error: BudgetEmpty,
  random: number,
): Promise<{ afterMs: number; problem: Message }> {
  const afterMs = error.waitMs + (error instanceof ReadsUsed ? random * SPREAD_MS : 0);
  const untilAt = (await databaseNow(db)) + afterMs;
  if (error instanceof ReadsUsed)
    return { afterMs, problem: sayRule('watch_budget_used', { limit: error.limit, untilAt }) };
  const isShare = error instanceof ShareUsed;
  return { afterMs, problem: isShare ? sayRule('watch_share_used', { untilAt }) : say('watch_waits', { untilAt }) };
}
