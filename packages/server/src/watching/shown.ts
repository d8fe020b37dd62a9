/**
 * Looks whether accounts already show a post that was made elsewhere. Platforms share posts with each other, and other
 * services repost too, so the ledger does not know everything.
 */
import type { Database } from '../db/database.ts';
import { ECHO_WITHIN_MS, isEcho } from '../lineage/match.ts';
import type { SessionSource } from '../publishing/sessions.ts';
import { SECOND } from '../time.ts';
import { withTimeout } from '../timeout.ts';
import { openReader, READING_SHARE } from './open-reader.ts';

/** An account that may show the post. */
export interface ShownOn {
  accountId: string;
  identityId: string;
  userId: string;
  platform: string;
  service: string;
}

/** Durations in ms; null if unknown. */
export interface ShownPost {
  text: string;
  durationMs: number | null;
}

/** Returns the ids of accounts whose newest posts include the same content. Never rejects. */
export type FindShown = (accounts: readonly ShownOn[], post: ShownPost) => Promise<ReadonlySet<string>>;

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
  const shows = async (account: ShownOn, post: ShownPost): Promise<boolean> => {
    const { watch } = deps.sessions.connector(account.platform);
    if (!watch || watch.newOnly || watch.charge) return false;
    const { session, capabilities, startedAt } = await openReader(deps, account, READING_SHARE);
    if (capabilities.watch === 'own') return false;
    const { posts } = await watch.list(session, { cursor: '', since: startedAt - ECHO_WITHIN_MS, mark: null });
    return posts.some((each) => (each.publishedAt ?? startedAt) > startedAt - ECHO_WITHIN_MS && isEcho(post, each));
  };
  return async (accounts, post) => {
    const found = new Set<string>();
    const look = async (account: ShownOn) => {
      if (await shows(account, post)) found.add(account.accountId);
    };
    const all = Promise.all(accounts.map((account) => look(account).catch(deps.onError)));
    await withTimeout(WITHIN_MS, all, () => {});
    return found;
  };
}
