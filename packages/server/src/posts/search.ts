/** Searches posts for the dashboard, in pages with a cursor. */

import type { Database } from '../db/database.ts';
import { cursorText, type Position, parseCursor } from '../errors/cursor.ts';
import { apiError } from '../errors/reelay-error.ts';
import { readPageOf } from '../lib/bounded-page.ts';
import { isUuid } from '../lib/ids.ts';
import type { PostStatus, TargetState } from '../publishing/target.ts';
import { type Presentation, presentEntry } from './entry-json.ts';
import {
  type FoundEntry,
  findBetween,
  findByTargets,
  findByText,
  findPosts,
  loadEntries,
  ownsAccount,
  type Section,
  scanForText,
  type TargetFilter,
} from './search-store.ts';

export interface SearchFilter {
  accountId?: string | undefined;
  status?: PostStatus | undefined;
  /** In ms since the epoch, inclusive. */
  from?: number | undefined;
  /** Likewise. */
  to?: number | undefined;
  /** Part of the description, in any case. */
  text?: string | undefined;
}

export interface PageRequest {
  /** As returned in `next`. */
  cursor?: string | undefined;
  /** Entries per page. */
  limit: number;
}

/**
 * Finds posts, newest first.
 * @throws ReelayError `unknown_platform`; `invalid_request` for a cursor that is not ours
 */
export async function searchPosts(
  db: Database,
  userId: string,
  filter: SearchFilter,
  request: PageRequest,
  presentation: Presentation,
) {
  const { accountId, from = 0, to } = filter;
  const cursor = parseCursor(request.cursor);
  if (accountId !== undefined && !(isUuid(accountId) && (await ownsAccount(db, userId, accountId))))
    throw apiError('account_not_found', { id: accountId.slice(0, 100) });
  const section = { after: beforeEnd(cursor, to), from: dateAt(from), limit: request.limit + 1 };
  return pageOf(db, userId, await find(db, userId, section, filter), request.limit, presentation);
}

/**
 * Finds posts that are scheduled, created or published between two moments, newest first.
 * @param range in ms since the epoch, both inclusive
 * @throws ReelayError `invalid_request` for a cursor that is not ours
 */
export async function postsBetween(
  db: Database,
  userId: string,
  { from, to }: { from: number; to: number },
  request: PageRequest,
  presentation: Presentation,
) {
  const cursor = parseCursor(request.cursor);
  const section = { after: beforeEnd(cursor, to), from: dateAt(from), limit: request.limit + 1 };
  const found = await findBetween(db, userId, section, { cursor, to: dateAt(to + 1) });
  return pageOf(db, userId, found, request.limit, presentation);
}

/** Posts whose text is compared one by one, before the index is used. Frequent texts are found in them. */
const SCANNED = 1_000;

async function find(db: Database, userId: string, section: Section, search: SearchFilter): Promise<Position[]> {
  const filter = targetFilter(search);
  if (search.text === undefined)
    return filter ? findByTargets(db, userId, section, filter) : findPosts(db, userId, section);
  const pattern = containsPattern(search.text);
  const { found, complete } = await scanForText(db, userId, section, { filter, pattern, scanned: SCANNED });
  if (complete) return found;
  return findByText(db, userId, section, { filter, pattern, indexed: isIndexed(search.text) });
}

const FINAL_STATES = {
  PENDING: [],
  SUCCESS: ['posted'],
  FAILED: ['failed'],
} as const satisfies Record<PostStatus, readonly TargetState[]>;

function targetFilter({ accountId, status }: SearchFilter): TargetFilter | null {
  if (accountId === undefined && status === undefined) return null;
  return {
    accountId: accountId ?? null,
    finalStates: status ? FINAL_STATES[status] : ['posted', 'failed'],
    pending: status === undefined || status === 'PENDING',
  };
}

async function pageOf(
  db: Database,
  userId: string,
  found: readonly Position[],
  limit: number,
  presentation: Presentation,
) {
  const ids = found.slice(0, limit).map(({ id }) => id);
  const page = await readPageOf(ids, async (batch) =>
    (await loadEntries(db, userId, batch)).map((entry) => presentFound(entry, presentation)),
  );
  const last = found[page.keys - 1];
  return { data: page.entries, next: last && found.length > page.keys ? cursorText(last) : null };
}

function presentFound(entry: FoundEntry, presentation: Presentation) {
  return { ...presentEntry(entry, presentation), createdAt: entry.createdAt.toISOString() };
}

/** No post has this id: everything at the same date follows it. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** No post is later, in ms. Up to there, a number of µs is exact. */
const LATEST = Date.UTC(2200);

/** The earlier of a position and the end of a range: an index must begin at one of them. @param to in ms, inclusive */
function beforeEnd(cursor: Position | null, to: number | undefined): Position | null {
  if (to === undefined || to >= LATEST) return cursor;
  const end = { micros: String(Math.max(0, to + 1) * 1_000), id: FIRST_ID };
  return cursor && Number(cursor.micros) < Number(end.micros) ? cursor : end;
}

/** Clamps to dates that posts can have. */
function dateAt(ms: number): Date {
  return new Date(Math.min(Math.max(0, ms), LATEST));
}

/** The pattern of LIKE that matches a text anywhere, with LIKE's own characters escaped. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The index holds groups of three letters or digits. */
function isIndexed(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text);
}
