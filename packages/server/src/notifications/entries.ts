/** Notifications with what they are about. */
import type { Queryable } from '../db/database.ts';
import { cursorText, parseCursor } from '../errors/cursor.ts';
import { readPageOf } from '../lib/bounded-page.ts';
import { renderDetail, type Wording, withPlatformCode } from '../publishing/target-detail.ts';
import { endBeforePosts, type Flows } from './ending-access.ts';
import {
  type AccountRow,
  type AffectedAccount,
  type EntryRow,
  listEntries,
  type PostRow,
  readAccounts,
  readPosts,
} from './notification-store.ts';
import { pageKinds } from './setting-store.ts';

/** A notification and the current state of its subject. */
export interface Entry extends EntryRow {
  post: PostRow | null;
  account: AccountRow;
  /** Whether nothing is left to do, as far as is known. */
  isResolved: boolean;
}

export interface EntryDeps {
  db: Queryable;
  connectors: Flows;
}

/** Adds the subjects. Entries whose subject was deleted meanwhile are left out. */
export async function withSubjects({ db, connectors }: EntryDeps, rows: readonly EntryRow[]): Promise<Entry[]> {
  const [posts, accounts] = await Promise.all([
    readPosts(
      db,
      rows.flatMap(({ postId }) => postId ?? []),
    ),
    readAccounts(
      db,
      rows.map(({ accountId }) => accountId),
    ),
  ]);
  const postById = new Map(posts.map((post) => [post.id, post]));
  const accountById = new Map(accounts.map((account) => [account.id, account]));
  return rows.flatMap((row) => {
    const account = accountById.get(row.accountId);
    const post = row.postId === null ? null : postById.get(row.postId);
    if (!account || post === undefined) return [];
    return [{ ...row, account, post, isResolved: isResolved(connectors, row, account, post) }];
  });
}

/** Pure. A source that cannot be read needs a connected account, so its end is not known from the account alone. */
function isResolved(
  flows: Flows,
  { kind, moment, resolvedAt }: EntryRow,
  account: AccountRow,
  post: PostRow | null,
): boolean {
  if (kind === 'post_trouble') return resolvedAt !== null;
  if (post) return post.failed.length === 0;
  if (account.status === 'DISCONNECTED') return true;
  if (kind === 'account_reconnect') return account.status === 'CONNECTED';
  // It was renewed, or no scheduled post needs it any more.
  return kind === 'access_ends' && endBeforePosts(flows, account)?.getTime() !== moment?.getTime();
}

/** Pure. Why a post failed on an account, or is retried, in the reader's language. */
export function failureDetail({ detail, platformCode, reason }: AffectedAccount, wording: Wording): string | null {
  const text =
    detail === null && reason ? wording.render(reason) : renderDetail(detail, reason ? [reason] : [], wording);
  return withPlatformCode(text, platformCode);
}

/**
 * A page of the kinds that the user wants to see, newest first.
 * @throws ReelayError `invalid_request` for a cursor that is not ours
 */
export async function entryPage(
  deps: EntryDeps,
  userId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ entries: Entry[]; next: string | null }> {
  const { db } = deps;
  const rows = await listEntries(db, userId, await pageKinds(db, userId), parseCursor(cursor), limit + 1);
  const page = await readPageOf(rows.slice(0, limit), (batch) => withSubjects(deps, batch));
  const last = rows[page.keys - 1];
  return { entries: page.entries, next: last && rows.length > page.keys ? cursorText(last) : null };
}
