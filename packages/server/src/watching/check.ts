/** One check of a watch: reads the account's new posts and stores them with the position, in one transaction. */
import type { Connector, Session, WatchFlow } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import type { Message } from '../messages/message.ts';
import { say as sayRule } from '../messages/rules.ts';
import { say } from '../messages/watching.ts';
import { NetworkError } from '../outbound/http-client.ts';
import { BudgetEmpty, type Failure, PlatformError } from '../outbound/platform-error.ts';
import { databaseNow } from '../posts/post-store.ts';
import { closeBudgets } from '../publishing/budgets.ts';
import { withRequestId } from '../publishing/failure-words.ts';
import type { SessionSource } from '../publishing/sessions.ts';
import type { Claim } from '../queue/claim.ts';
import { chargedList } from './charged-list.ts';
import { nextCheckMs, retryCheckMs } from './check-interval.ts';
import { openReader, READING_SHARE } from './open-reader.ts';
import { readSince } from './post-times.ts';
import { readLimitOf } from './read-limit.ts';
import { type PostsRead, readPosts } from './read-posts.ts';
import { findReaders, isWanted, type Reader } from './reader-store.ts';
import { readsToday } from './reads-store.ts';
import {
  endWatch,
  MAX_NEW_POSTS,
  noteMissing,
  noteProblem,
  postponeWatch,
  storePosts,
  type WatchRow,
  writeChecked,
} from './watch-store.ts';

export interface CheckDeps {
  db: Database;
  sessions: SessionSource;
  /** The operator's settings for a platform. */
  settings(platform: string, sandbox: boolean): Session['settings'];
  /** Called when posts were stored. */
  onFound(count: number): void;
  /** Called when a check failed. */
  onFailed(watch: WatchRow, failure: Message): void;
  reportBug(error: unknown): void;
  random(): number;
  /** ms of a monotonic clock. */
  monotonic(): number;
}

/** A check begins no further page after this time, so that slow servers do not hold its slot for long. */
const READ_WITHIN_MS = 2 * MINUTE;

/** Result of a check, for tests and logs. */
export type CheckResult =
  | { kind: 'checked'; added: number }
  | { kind: 'waits' }
  | { kind: 'failed' }
  | { kind: 'ended' };

/** Runs one claimed watch. Never throws for the platform's failures: they are stored. */
export async function checkWatch(deps: CheckDeps, claim: Claim<WatchRow>): Promise<CheckResult> {
  const { db } = deps;
  const [reader, ...more] = await findReaders(db, claim.key);
  if (!reader) {
    const problem = (await isWanted(db, claim.key)) ? sayRule('watch_disconnected') : null;
    await endWatch(db, claim, problem);
    return { kind: 'ended' };
  }
  // Another account of the same identity may still have access.
  const turn = more.length > 0 && claim.attempts > 1 ? (claim.attempts - 1) % (more.length + 1) : 0;
  return checkAs(deps, claim, [reader, ...more][turn] ?? reader);
}

async function checkAs(deps: CheckDeps, claim: Claim<WatchRow>, reader: Reader): Promise<CheckResult> {
  const { db } = deps;
  const { row } = claim;
  const connector = deps.sessions.connector(row.platform);
  try {
    if (!connector.watch) throw new Error(`The connector ${row.platform} cannot watch.`);
    const limit = await readLimit(deps, connector.watch, row, reader);
    if (limit) {
      await postponeWatch(db, claim, limit);
      return { kind: 'waits' };
    }
    const { session, startedAt } = await openReader(deps, { ...reader, platform: row.platform }, READING_SHARE);
    const since = readSince(row.began_at.getTime(), row.checked_at?.getTime() ?? null);
    const flow = chargedList(deps, connector.watch, { ...reader, platform: row.platform, askedBy: null });
    const lateAt = deps.monotonic() + READ_WITHIN_MS;
    const read = await readPosts(flow, session, { since, mark: row.mark }, () => deps.monotonic() >= lateAt);
    const minMs = connector.watch.minIntervalMs;
    const found = { read, since, startedAt, sandbox: reader.sandbox, ...(minMs === undefined ? {} : { minMs }) };
    return { kind: 'checked', added: await store(deps, claim, found) };
  } catch (error) {
    return failedBy(deps, claim, { error, connector, reader });
  }
}

/** Returns the wait if the day's paid reads are used up. */
async function readLimit(deps: CheckDeps, flow: WatchFlow, { platform }: WatchRow, { sandbox }: Reader) {
  if (!flow.charge || sandbox) return null;
  const limit = readLimitOf(flow.charge, deps.settings(platform, sandbox));
  const { reads, leftMs } = await readsToday(deps.db, platform);
  if (reads < limit) return null;
  // Not all at midnight.
  const afterMs = leftMs + deps.random() * 15 * MINUTE;
  const untilAt = (await databaseNow(deps.db)) + afterMs;
  return { afterMs, problem: sayRule('watch_budget_used', { limit, untilAt }), failed: false };
}

interface Found {
  read: PostsRead;
  since: number;
  startedAt: number;
  sandbox: boolean;
  minMs?: number;
}

/** @returns number of new posts; 0 if another worker has stored a check meanwhile */
async function store(deps: CheckDeps, claim: Claim<WatchRow>, { read, since, startedAt, ...pace }: Found) {
  const { row } = claim;
  const { posts, mark, problem, again, more } = read;
  const recent = [
    ...posts.flatMap(({ publishedAt }) => publishedAt ?? []),
    ...row.recent_posts.map((at) => at.getTime()),
    // Users try a new rule at once, so the beginning counts like a post.
    row.began_at.getTime(),
  ];
  recent.sort((a, b) => b - a);
  const usual = nextCheckMs({ recent: recent.slice(0, 10), now: startedAt, ...pace });
  const soon = again ? retryCheckMs(claim.attempts, pace.sandbox) : SECOND;
  const afterMs = again || more ? soon : usual * (0.9 + deps.random() / 5);
  const added = await deps.db.transaction(async (tx) => {
    if (!(await writeChecked(tx, claim, { startedAt, posts, mark, afterMs, problem, again }))) return 0;
    const { added: count, dropped } = await storePosts(tx, row, posts, startedAt);
    if (dropped > 0) await noteProblem(tx, row.id, say('too_many_posts_a_day', { limit: MAX_NEW_POSTS }));
    // A list with a position shows new posts only, and one with a problem not all.
    const isWhole = problem === null && mark === undefined && row.mark === null;
    const listed = posts.map(({ remoteId }) => remoteId);
    if (isWhole) await noteMissing(tx, row.id, { listed, since, startedAt });
    return count;
  });
  if (problem && again) deps.onFailed(row, problem);
  if (added > 0) deps.onFound(added);
  return added;
}

async function failedBy(
  deps: CheckDeps,
  claim: Claim<WatchRow>,
  { error, connector, reader }: { error: unknown; connector: Connector; reader: Reader },
): Promise<CheckResult> {
  const { db } = deps;
  if (error instanceof BudgetEmpty) {
    const untilAt = (await databaseNow(db)) + error.waitMs;
    await postponeWatch(db, claim, { afterMs: error.waitMs, problem: say('watch_waits', { untilAt }), failed: false });
    return { kind: 'waits' };
  }
  const retryMs = retryCheckMs(claim.attempts, reader.sandbox);
  const postpone = async (problem: Message, afterMs = retryMs): Promise<CheckResult> => {
    deps.onFailed(claim.row, problem);
    await postponeWatch(db, claim, { afterMs, problem, failed: true });
    return { kind: 'failed' };
  };
  if (error instanceof NetworkError) return postpone(say('watch_unreachable', { reason: error.reason }));
  if (!(error instanceof PlatformError)) {
    deps.reportBug(error);
    return postpone(say('watch_internal'));
  }
  const { failure } = error;
  await applyFailure(deps, connector, reader, failure);
  // A refreshed token is used at once, but only once per failure.
  if (failure.kind === 'tokenExpired' && claim.attempts === 1) return postpone(withRequestId(failure), 0);
  const asked = 'waitMs' in failure ? (failure.waitMs ?? 0) : 0;
  return postpone(withRequestId(failure), Math.max(asked, retryMs));
}

/** Effects beyond the watch: refreshes the token, marks the account, closes the budget. */
async function applyFailure(deps: CheckDeps, connector: Connector, reader: Reader, failure: Failure): Promise<void> {
  const { accountId } = reader;
  if (failure.kind === 'reconnect') await deps.sessions.refused(accountId, failure);
  if (failure.kind === 'tokenExpired')
    await deps.sessions.refresh(accountId).catch((error) => {
      if (!(error instanceof PlatformError)) throw error;
      if (error.failure.kind === 'reconnect') return deps.sessions.refused(accountId, error.failure);
    });
  if (failure.kind === 'rateLimited' && !reader.sandbox)
    await closeBudgets(deps.db, connector, failure.scope, failure.window, reader, failure.waitMs);
}
