/** One check of a watch: reads the account's new posts and stores them with the position, in one transaction. */
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import type { Message } from '../messages/message.ts';
import { say as sayRule } from '../messages/rules.ts';
import { say } from '../messages/watching.ts';
import { NetworkError } from '../outbound/http-client.ts';
import { unanswered } from '../outbound/no-response.ts';
import { BudgetEmpty, type Failure, PlatformError } from '../outbound/platform-error.ts';
import { closeBudgets, READING_SHARE } from '../publishing/budgets.ts';
import { withRequestId } from '../publishing/failure-words.ts';
import { ShareUsed } from '../publishing/fair-share.ts';
import type { SessionSource } from '../publishing/sessions.ts';
import type { Claim } from '../queue/claim.ts';
import type { BoundedPost } from './bounded-list.ts';
import { waitFor } from './budget-wait.ts';
import { nextCheckMs, retryCheckMs } from './check-interval.ts';
import { type Checked, noteMissing, writeChecked, writeUnchanged } from './checked-store.ts';
import { openReader } from './open-reader.ts';
import { readSince } from './post-times.ts';
import { type PostsRead, readPosts, type Stop } from './read-posts.ts';
import { findReaders, isWanted, type Reader } from './reader-store.ts';
import { endWatch, MAX_NEW_POSTS, noteProblem, postponeWatch, storePosts, type WatchRow } from './watch-store.ts';

export interface CheckDeps {
  db: Database;
  sessions: SessionSource;
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

/** A check that stopped before its last page begins again after this number of failures. */
const MAX_RESUMES = 5;

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
  return checkAs(deps, claim, [reader, ...more][turn] ?? reader, usersInTurn(claim.row, [reader, ...more]));
}

/** The users whose posts a check reads. Checks count for them in turn, so nobody pays more than without the others. */
function usersInTurn({ version }: WatchRow, readers: readonly Reader[]): string[] {
  const users = [...new Set(readers.map(({ userId }) => userId))].sort();
  const first = version % users.length;
  return [...users.slice(first), ...users.slice(0, first)];
}

/** @param users those whose shares may be used; the first one whose share is left */
async function checkAs(
  deps: CheckDeps,
  claim: Claim<WatchRow>,
  reader: Reader,
  users: readonly string[],
): Promise<CheckResult> {
  const { row } = claim;
  const connector = deps.sessions.connector(row.platform);
  try {
    if (!connector.watch) throw new Error(`The connector ${row.platform} cannot watch.`);
    const minMs = connector.watch.minIntervalMs;
    const pace = { sandbox: reader.sandbox, ...(minMs === undefined ? {} : { minMs }) };
    const found = { ...(await readFor(deps, row, reader, users)), ...pace, isShared: users.length > 1 };
    return { kind: 'checked', added: await store(deps, claim, found) };
  } catch (error) {
    return failedBy(deps, claim, { error, connector, reader });
  }
}

interface Read {
  read: PostsRead;
  since: number;
  /** When this check began, or its first part. */
  startedAt: number;
}

/** @throws ShareUsed if no user may read; also what reading throws */
async function readFor(
  deps: CheckDeps,
  row: WatchRow,
  reader: Reader,
  [userId = '', ...others]: readonly string[],
): Promise<Read> {
  const { resume } = row;
  const options = { share: READING_SHARE, isAsked: false };
  try {
    const opened = await openReader(deps, { ...reader, userId, platform: row.platform }, options);
    const { startedAt } = resume ?? opened;
    const since = resume?.since ?? readSince(row.began_at.getTime(), row.checked_at?.getTime() ?? null);
    const lateAt = deps.monotonic() + READ_WITHIN_MS;
    const from = { since, mark: row.mark, resume };
    return { read: await readPosts(opened.list, from, () => deps.monotonic() >= lateAt), since, startedAt };
  } catch (error) {
    if (others.length === 0 || !(error instanceof ShareUsed)) throw error;
    return readFor(deps, row, reader, others);
  }
}

interface Found extends Read {
  sandbox: boolean;
  minMs?: number;
  /** Whether another user's share may be left. */
  isShared: boolean;
}

/** How a check continues that stopped before its last page. */
async function continueLater(
  deps: CheckDeps,
  { stop, read: { mark }, since, startedAt, isShared }: Found & { stop: Stop },
) {
  const { cursor, pages, reason } = stop;
  const { afterMs, problem } = await waitFor(deps.db, reason, deps.random());
  const resume = { cursor, pages, since, startedAt, mark: mark ?? null };
  return { resume, problem, afterMs: isShared && reason instanceof ShareUsed ? SECOND : afterMs };
}

/** @returns number of new posts; 0 if another worker has stored a check meanwhile */
async function store(deps: CheckDeps, claim: Claim<WatchRow>, found: Found) {
  const { row } = claim;
  const { read, since, startedAt } = found;
  const { posts, mark, problem, again, more, stopped } = read;
  const recent = [
    ...posts.flatMap(({ publishedAt }) => publishedAt ?? []),
    ...row.recent_posts.map((at) => at.getTime()),
    // Users try a new rule at once, so the beginning counts like a post.
    row.began_at.getTime(),
  ];
  recent.sort((a, b) => b - a);
  const usual = nextCheckMs({ recent: recent.slice(0, 10), now: startedAt, ...found });
  const soon = again ? retryCheckMs(claim.attempts, found.sandbox) : SECOND;
  const afterMs = again || more ? soon : usual * (0.9 + deps.random() / 5);
  const next = stopped ? await continueLater(deps, { ...found, stop: stopped }) : { resume: null, problem, afterMs };
  const checked = { startedAt, posts, mark, again, ...next };
  // A list with a position shows new posts only, and one with a problem not all.
  const isWhole = next.problem === null && mark === undefined && row.mark === null && row.resume === null;
  const wholeSince = isWhole ? since : null;
  const isUnchanged = !hasNewer(posts, row) && (await writeUnchanged(deps.db, claim, checked, wholeSince));
  const added = isUnchanged ? 0 : await storeChanged(deps.db, claim, checked, wholeSince);
  if (problem && again) deps.onFailed(row, problem);
  if (added > 0) deps.onFound(added);
  return added;
}

/** Whether a post is newer than those of earlier checks. Then the statement for checks without news stores nothing. */
function hasNewer(posts: readonly BoundedPost[], { recent_posts }: WatchRow): boolean {
  const newest = Math.max(...recent_posts.map((at) => at.getTime()));
  return posts.some(({ publishedAt }) => publishedAt !== null && publishedAt > newest);
}

/** @returns number of new posts; 0 if another worker has stored a check meanwhile */
function storeChanged(db: Database, claim: Claim<WatchRow>, checked: Checked, wholeSince: number | null) {
  const { row } = claim;
  const { posts, startedAt } = checked;
  return db.transaction(async (tx) => {
    if (!(await writeChecked(tx, claim, checked))) return 0;
    const { added, dropped } = await storePosts(tx, row, posts, startedAt);
    if (dropped > 0) await noteProblem(tx, row.id, say('too_many_posts_a_day', { limit: MAX_NEW_POSTS }));
    const listed = posts.map(({ remoteId }) => remoteId);
    if (wholeSince !== null) await noteMissing(tx, row.id, { listed, since: wholeSince, startedAt });
    return added;
  });
}

async function failedBy(
  deps: CheckDeps,
  claim: Claim<WatchRow>,
  { error, connector, reader }: { error: unknown; connector: Connector; reader: Reader },
): Promise<CheckResult> {
  const { db } = deps;
  if (error instanceof BudgetEmpty) {
    await postponeWatch(db, claim, { ...(await waitFor(db, error, deps.random())), failed: false });
    return { kind: 'waits' };
  }
  const retryMs = retryCheckMs(claim.attempts, reader.sandbox);
  // The platform may no longer know the page at which the check continues. Nothing is lost: it begins again.
  const isRefused = error instanceof PlatformError && error.failure.kind === 'rejected';
  const startOver = isRefused || claim.attempts > MAX_RESUMES;
  const postpone = async (problem: Message, afterMs = retryMs): Promise<CheckResult> => {
    deps.onFailed(claim.row, problem);
    await postponeWatch(db, claim, { afterMs, problem, failed: true, startOver });
    return { kind: 'failed' };
  };
  if (error instanceof NetworkError) return postpone(unanswered(error));
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
