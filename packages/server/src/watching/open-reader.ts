/**
 * Opens a connected account for reading its platform. Only this file calls `list` and `file` of a connector, so nothing is
 * read beyond the operator's limit or a user's share of it.
 */
import type { Capabilities, Session, WatchedFile, WatchFlow, WatchPosition } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { MINUTE } from '../lib/time.ts';
import { databaseNow } from '../posts/post-store.ts';
import { type Spender, spend } from '../publishing/budgets.ts';
import { assertReadsLeft, countCharged } from '../publishing/charged-reads.ts';
import type { SessionSource } from '../publishing/sessions.ts';
import { boundedList, type PostPage } from './bounded-list.ts';

/** Minimum remaining lifetime of the token, in ms. */
const MIN_LIFE_MS = MINUTE;

export interface ReadOptions {
  /** The part of each limit of requests that may be used. */
  share: number;
  /** Whether the user asked for the posts. Otherwise they are for rules. */
  isAsked: boolean;
}

export interface OpenReader {
  /** For streams. Do not read posts with it. */
  session: Session;
  capabilities: Capabilities;
  /** When the account was opened, in ms since the epoch by the database's clock. */
  startedAt: number;
  /** Reads one page of posts, of at most 100. @throws PlatformError, NetworkError, BudgetEmpty */
  list(at: WatchPosition): Promise<PostPage>;
  /** Finds the file of a post; null if the platform gives none. @throws PlatformError, NetworkError, BudgetEmpty */
  file: ((post: Parameters<NonNullable<WatchFlow['file']>>[1]) => Promise<WatchedFile>) | null;
}

/**
 * Opens the account with the database's clock.
 * @param account the user is the one whose share is used
 * @throws PlatformError
 */
export async function openReader(
  { db, sessions }: { db: Database; sessions: SessionSource },
  account: Spender & { platform: string },
  { share, isAsked }: ReadOptions,
): Promise<OpenReader> {
  const connector = sessions.connector(account.platform);
  const { watch } = connector;
  const charged = { platform: connector.id, charge: watch?.charge };
  const by = { userId: account.userId, isAsked };
  const startedAt = await databaseNow(db);
  const mark = performance.now();
  // No call is counted before the account is open. Calls of sandbox accounts are never counted.
  let sandbox = true;
  const { session, capabilities } = await sessions.open(account.accountId, {
    minLifeMs: MIN_LIFE_MS,
    spend: async (budget) => {
      if (!sandbox) await spend(db, connector, budget, account, share);
    },
    countReads: (reads) => countCharged(db, { ...charged, sandbox }, by, reads),
    now: () => Math.floor(startedAt + (performance.now() - mark)),
  });
  ({ sandbox } = session);
  const assertLeft = () => assertReadsLeft(db, { ...charged, sandbox }, by, session.settings);
  return {
    session,
    capabilities,
    startedAt,
    async list(at) {
      if (!watch) throw new Error(`The connector ${connector.id} cannot watch.`);
      await assertLeft();
      return boundedList(watch).list(session, at);
    },
    file: watch?.file
      ? async (post) => {
          await assertLeft();
          return (watch as Required<Pick<WatchFlow, 'file'>>).file(session, post);
        }
      : null,
  };
}
