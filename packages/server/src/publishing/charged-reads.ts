/**
 * The operator's limit of reads that a platform charges for, and each user's share of it. Every session counts its reads
 * here, and everything that reads posts asks here first.
 */
import type { ReadCharge } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { BudgetEmpty } from '../outbound/platform-error.ts';
import { isHalfUsed, isReservedForOthers, othersForReads, SHARE_PAUSE_MS, ShareUsed } from './fair-share.ts';
import { readLimitOf } from './read-limit.ts';
import { announcedReads, countReads, readsToday } from './reads-store.ts';

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

/** What is read. */
export interface ReadAccount {
  platform: string;
  /** Absent if the platform charges for nothing. */
  charge: ReadCharge | undefined;
  sandbox: boolean;
}

/** Whom reads are for. */
export interface ReadBy {
  /** null: announcements for all users. They have a share like one more user. */
  userId: string | null;
  /** Whether the user asked for the posts. Otherwise they are for rules and posts. */
  isAsked: boolean;
}

/**
 * Call it before each request that may be charged.
 * @param settings the operator's settings for the platform
 * @throws ReadsUsed, ShareUsed
 */
export async function assertReadsLeft(
  db: Database,
  { platform, charge, sandbox }: ReadAccount,
  { userId, isAsked }: ReadBy,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  if (!charge || sandbox) return;
  const limit = readLimitOf(charge, settings);
  const { reads, ofUser, leftMs } = await readsToday(db, platform, userId);
  const isOver = isAsked ? reads >= limit * SHARE_OF_USERS || ofUser.asked >= limit * SHARE_OF_USER : reads >= limit;
  if (isOver) throw new ReadsUsed(charge.setting, leftMs, limit);
  if (!isHalfUsed({ byAll: reads }, limit)) return;
  const byUser = userId === null ? await announcedReads(db, platform) : ofUser.reads;
  const others = await othersForReads(db, { platform, userId, limit, leftMs });
  if (isReservedForOthers(limit, { byAll: reads, byUser }, others))
    throw new ShareUsed(charge.setting, Math.min(SHARE_PAUSE_MS, leftMs), 'daily');
}

/** Counts the reads that a request was charged for. */
export async function countCharged(
  db: Database,
  { platform, charge, sandbox }: ReadAccount,
  by: ReadBy & { userId: string },
  reads: number,
): Promise<void> {
  if (reads > 0 && charge && !sandbox) await countReads(db, { ...by, platform }, reads);
}
