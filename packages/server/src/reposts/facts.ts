/** Collects what the decision about a firing needs. */
import type { Transaction } from '../db/database.ts';
import { handleOf } from '../handle.ts';
import { ECHO_WITHIN_MS, isEcho } from '../lineage/match.ts';
import { DAY } from '../time.ts';
import { type FileSources, type Found, readForeign, readOwn } from './content-store.ts';
import type { DecisionFacts } from './decide.ts';
import {
  countReposts,
  type Destination,
  type FiringRow,
  openDestinations,
  readPlaced,
  turnOfCatalog,
} from './firing-store.ts';
import { dailyLimit, type RuleOptions } from './options/rule-options.ts';
import { dayOf } from './options/timing.ts';

export interface Facts {
  row: FiringRow;
  options: RuleOptions;
  found: Found | null;
  destinations: OpenDestination[];
  /** ms since the epoch */
  now: number;
}

export interface OpenDestination extends Destination {
  /** Whether it already shows the same content, for example through a share between platforms. */
  isEcho: boolean;
}

/**
 * Reads the content and its open destinations. Call it with the rule locked.
 * @param known.shown accounts that already show the content, as far as known
 */
export async function readFacts(
  tx: Transaction,
  sources: FileSources,
  { row, options, now, shown }: Pick<Facts, 'row' | 'options' | 'now'> & { shown: ReadonlySet<string> | null },
): Promise<Facts> {
  const found = row.target_id ? await readOwn(tx, row) : await readForeign(tx, row, options.fit ?? '', sources);
  return { row, options, found, destinations: found ? await findDestinations(tx, row, found, shown) : [], now };
}

/** Collects what the decision needs. Reposts of the day are counted only if there is a limit. */
export async function decisionFacts(
  tx: Transaction,
  { row, options, found, destinations, now }: Facts,
): Promise<DecisionFacts> {
  const content = found?.content ?? null;
  const isTimed = !row.by_hand;
  const limit = content && isTimed && !row.is_catalog ? dailyLimit(options, content.origin) : null;
  const day = limit === null ? null : dayOf(now, options.zone);
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
    destinations: destinations.map(({ username, isEcho }) => ({ name: handleOf(username), isEcho })),
    today:
      day && limit !== null
        ? { count: await countReposts(tx, row.rule_id, day.start), limit, startedAt: day.start, endsAt: day.end }
        : null,
  };
}

/** Destinations that the content has not reached. Only content posted elsewhere is compared by text. */
async function findDestinations(
  tx: Transaction,
  { rule_id: ruleId, is_catalog: isCatalog }: FiringRow,
  { originId, content }: Found,
  seen: ReadonlySet<string> | null,
): Promise<OpenDestination[]> {
  const open = await openDestinations(tx, ruleId, originId);
  if (content.origin === 'own') return open.map((each) => ({ ...each, isEcho: false }));
  const ids = open.map(({ identityId }) => identityId);
  const placed = await readPlaced(tx, ids, isCatalog ? null : ECHO_WITHIN_MS);
  const post = { text: content.caption, durationMs: content.durationMs };
  const shown = new Set(placed.filter((each) => isEcho(post, each)).map(({ identityId }) => identityId));
  return open.map((each) => ({ ...each, isEcho: shown.has(each.identityId) || seen?.has(each.accountId) === true }));
}
