/**
 * Checks whether accounts already show some content. Platforms share posts with each other, and other services repost too,
 * so the ledger does not know everything.
 */
import type { WatchedPost } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { SECOND } from '../lib/time.ts';
import { withTimeout } from '../lib/timeout.ts';
import { isSameText, SAME_WITHIN_MS } from '../lineage/content.ts';
import { READING_SHARE } from '../publishing/budgets.ts';
import type { SessionSource } from '../publishing/sessions.ts';
import { openReader } from './open-reader.ts';

/** An account that may show the post. */
export interface ShownOn {
  accountId: string;
  identityId: string;
  userId: string;
  platform: string;
  service: string;
}

/** What to look for. */
export interface Sought {
  /** The content's text, and that of its repost. */
  texts: readonly string[];
  /** When the content was published, in ms since the epoch; null: posts of any age count. */
  at: number | null;
}

/**
 * Returns the newest posts with one of the texts, by account id. Accounts that could not be read are absent. Never
 * rejects.
 */
export type FindShown = (
  accounts: readonly ShownOn[],
  sought: Sought,
) => Promise<ReadonlyMap<string, readonly WatchedPost[]>>;

/** Shorter than the lease of what waits for it, in ms. */
const WITHIN_MS = 20 * SECOND;

/**
 * Creates the function. It reads one page for each account. A platform that cannot be read, or that charges for reads,
 * does not delay the repost.
 */
export function createFindShown(deps: {
  db: Database;
  sessions: SessionSource;
  onError(error: unknown): void;
}): FindShown {
  const postsOn = async (account: ShownOn, { texts, at }: Sought): Promise<readonly WatchedPost[]> => {
    const { watch } = deps.sessions.connector(account.platform);
    if (!watch || watch.newOnly || watch.charge) return [];
    const options = { share: READING_SHARE, isAsked: false };
    const { list, capabilities, startedAt } = await openReader(deps, account, options);
    if (capabilities.watch === 'own') return [];
    const since = at === null ? 0 : at - SAME_WITHIN_MS;
    const { posts } = await list({ cursor: '', since, mark: null });
    const isNear = (time: number) => at === null || Math.abs(time - at) <= SAME_WITHIN_MS;
    return posts.filter(
      ({ text, publishedAt }) => isNear(publishedAt ?? startedAt) && texts.some((each) => isSameText(each, text)),
    );
  };
  return async (accounts, sought) => {
    const found = new Map<string, readonly WatchedPost[]>();
    const look = async (account: ShownOn) => {
      const posts = await postsOn(account, sought);
      if (posts.length > 0) found.set(account.accountId, posts);
    };
    const all = Promise.all(accounts.map((account) => look(account).catch(deps.onError)));
    await withTimeout(WITHIN_MS, all, () => {});
    return found;
  };
}
