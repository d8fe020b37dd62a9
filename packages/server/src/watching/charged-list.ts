/**
 * Lists posts at platforms that may charge for reads, within the operator's limit of the day. Only this file calls the
 * `list` of a connector that charges, so nothing is read past the limit or uncounted.
 */
import type { WatchFlow } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { BudgetEmpty } from '../outbound/platform-error.ts';
import { boundedList, type PostList } from './bounded-list.ts';
import { readLimitOf } from './read-limit.ts';
import { countReads, countUserReads, readsToday, userReadsToday } from './reads-store.ts';

export interface ListDeps {
  db: Database;
  /** The operator's settings for a platform. */
  settings(platform: string, sandbox: boolean): Readonly<Record<string, string>>;
}

export interface ReadBy {
  platform: string;
  sandbox: boolean;
  /** The user who asked for the posts; null for checks of the service. A check is not interrupted at the limit. */
  askedBy: string | null;
}

/** The parts of a day's charged reads that all users together, and each of them, may ask for. Rules need the rest. */
const SHARE_OF_USERS = 0.5;
const SHARE_OF_USER = 0.1;

/** Lists posts as the flow does. @throws BudgetEmpty before anything is read beyond the limit; also what the flow throws */
export function chargedList({ db, settings }: ListDeps, flow: WatchFlow, by: ReadBy): PostList {
  const { platform, sandbox, askedBy } = by;
  const { charge } = flow;
  const bounded = boundedList(flow);
  if (!charge || sandbox) return bounded;
  const limit = readLimitOf(charge, settings(platform, sandbox));
  const check = async () => {
    const { reads, leftMs } = await readsToday(db, platform);
    const ofUser = askedBy === null ? 0 : await userReadsToday(db, platform, askedBy);
    const isOver =
      askedBy === null ? reads >= limit : reads >= limit * SHARE_OF_USERS || ofUser >= limit * SHARE_OF_USER;
    if (isOver) throw new BudgetEmpty(charge.setting, leftMs, 'daily');
  };
  return {
    async list(session, at) {
      if (askedBy !== null || at.cursor === '') await check();
      const page = await bounded.list(session, at);
      const { reads = 0 } = page;
      if (reads > 0) await countReads(db, platform, reads);
      if (reads > 0 && askedBy !== null) await countUserReads(db, platform, askedBy, reads);
      return page;
    },
  };
}
