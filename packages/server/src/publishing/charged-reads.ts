/**
 * The operator's limit of reads that a platform charges for, and each user's share of it. Every session counts its reads
 * here, and everything that reads posts asks here first.
 */
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { BudgetEmpty } from '../outbound/platform-error.ts';
import { isHalfUsed, isReservedForOthers, othersForReads, SHARE_PAUSE_MS, ShareUsed } from './fair-share.ts';
import { readLimitOf } from './read-limit.ts';
import { countReads, type ReadsFor, readsToday } from './reads-store.ts';

/** The day's charged reads are used up. */
export class ReadsUsed extends BudgetEmpty {
  /** The operator's limit. */
  readonly limit: number;

  constructor(setting: string, waitMs: number, limit: number) {
    super(setting, waitMs, 'daily');
    this.limit = limit;
  }
}

/** The parts of a day's charged reads that all users together, and each of them, may ask for. Rules need the rest. */
const SHARE_OF_USERS = 0.5;
const SHARE_OF_USER = 0.1;

/** A connected account whose platform may charge for reads. */
export interface ReadAccount {
  connector: Pick<Connector, 'id' | 'watch'>;
  /** The operator's settings for the platform. */
  settings: Readonly<Record<string, string>>;
  sandbox: boolean;
}

/** Call it before each request that may be charged. @throws ReadsUsed, ShareUsed */
export async function assertReadsLeft(
  db: Database,
  { connector, settings, sandbox }: ReadAccount,
  by: Pick<ReadsFor, 'userId' | 'isAsked'>,
): Promise<void> {
  const charge = connector.watch?.charge;
  if (!charge || sandbox) return;
  const limit = readLimitOf(charge, settings);
  const { reads, ofUser, leftMs } = await readsToday(db, connector.id, by.userId);
  const isOver = by.isAsked ? reads >= limit * SHARE_OF_USERS || ofUser.asked >= limit * SHARE_OF_USER : reads >= limit;
  if (isOver) throw new ReadsUsed(charge.setting, leftMs, limit);
  const used = { byAll: reads, byUser: ofUser.reads };
  if (!isHalfUsed(used, limit)) return;
  const others = await othersForReads(db, { platform: connector.id, userId: by.userId, limit, leftMs });
  if (isReservedForOthers(limit, used, others))
    throw new ShareUsed(charge.setting, Math.min(SHARE_PAUSE_MS, leftMs), 'daily');
}

/** Counts the reads that a request was charged for. */
export async function countCharged(
  db: Database,
  { connector, sandbox }: Omit<ReadAccount, 'settings'>,
  by: Pick<ReadsFor, 'userId' | 'isAsked'>,
  reads: number,
): Promise<void> {
  if (reads > 0 && connector.watch?.charge && !sandbox) await countReads(db, { ...by, platform: connector.id }, reads);
}
