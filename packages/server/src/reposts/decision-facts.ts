/** Collects what the decision about a firing needs. */

import type { Transaction } from '../db/database.ts';
import { accountName } from '../lib/handle.ts';
import { DAY } from '../lib/time.ts';
import { dayOf } from '../local-time/days.ts';
import { type FileSources, type Found, readForeign, readOwn } from './content-store.ts';
import type { DecisionFacts } from './decide.ts';
import { type Destinations, findDestinations, type Looking } from './destinations.ts';
import { type FiringRow, lockLimit, readToday, turnOfCatalog } from './firing-store.ts';
import { dailyLimit, type RuleOptions } from './options/rule-options.ts';

export interface Facts extends Destinations {
  row: FiringRow;
  options: RuleOptions;
  found: Found | null;
  /** ms since the epoch */
  now: number;
}

/** Reads the content and its open destinations. Call it with the rule locked. @throws JoinNeeded */
export async function readFacts(
  tx: Transaction,
  sources: FileSources,
  { row, options, ...looking }: Pick<Facts, 'row' | 'options'> & Looking,
): Promise<Facts> {
  const found = row.target_id ? await readOwn(tx, row) : await readForeign(tx, row, options.fit ?? '', sources);
  const destinations = found
    ? await findDestinations(tx, row, found, looking)
    : { originId: row.origin_id, open: [], copies: [], needsLength: false };
  return { row, options, found, now: looking.now, ...destinations };
}

/**
 * Collects what the decision needs. Reposts of the day are counted only if there is a limit.
 * @returns also whether items of the rule may wait for a later day
 */
export async function decisionFacts(
  tx: Transaction,
  { connectors }: Pick<FileSources, 'connectors'>,
  { row, options, found, open, copies, needsLength, now }: Facts,
): Promise<DecisionFacts & { hasLater: boolean }> {
  const content = found?.content ?? null;
  const isTimed = !row.by_hand;
  const limit = content && isTimed && !row.is_catalog ? dailyLimit(options, content.origin) : null;
  const day = limit === null ? null : dayOf(now, options.zone);
  const today = day && (await lockAndCount(tx, row, day.start));
  return {
    now,
    seenAt: row.created_at.getTime(),
    chance: row.chance,
    byHand: row.by_hand,
    options,
    content,
    pace:
      isTimed && row.is_catalog
        ? { ...(await turnOfCatalog(tx, row)), everyMs: DAY / (options.backCatalog?.perDay ?? 1) }
        : null,
    openDestinations: open.length,
    copies: copies.map((account) => accountName(connectors, account)),
    needsLength,
    today: day && today && limit !== null ? { count: today.count, limit, ahead: today.ahead, endsAt: day.end } : null,
    hasLater: today?.hasLater ?? true,
    limitedAt: row.limited_at?.getTime() ?? null,
  };
}

/** No other firing of the rule counts, or begins to wait for the limit, until this transaction ends. */
async function lockAndCount(tx: Transaction, { id, rule_id: ruleId }: FiringRow, since: number) {
  await lockLimit(tx, ruleId);
  return readToday(tx, { ruleId, firingId: id, since });
}
