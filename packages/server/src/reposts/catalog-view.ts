/** What a page of the back catalog shows: each post, and whether it can be selected. */
import type { Connector } from '../connectors/contract.ts';
import type { Database, Queryable } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { isUuid } from '../lib/ids.ts';
import { SECOND } from '../lib/time.ts';
import { HAS_CONTENT } from '../lineage/occupancy.ts';
import type { MessageRef } from '../messages/message.ts';
import { NetworkError } from '../outbound/http-client.ts';
import { unanswered } from '../outbound/no-response.ts';
import { BudgetEmpty, PlatformError } from '../outbound/platform-error.ts';
import type { SessionSource } from '../publishing/sessions.ts';
import { type CatalogSource, readCatalog } from '../watching/catalog.ts';
import { dueFound } from '../watching/found-post-store.ts';
import { matchFound } from '../watching/match-posts.ts';
import { type FileSources, FOREIGN_CONTENT, type ForeignContentRow, foreignContent } from './content-store.ts';
import { canDownloadAgain, decideByHand } from './decide.ts';
import { completeOptions, type StoredOptions } from './options/rule-options.ts';

export interface CatalogDeps extends FileSources {
  db: Database;
  sealer: Sealer;
  sessions: SessionSource;
  connectors: Readonly<Record<string, Connector>>;
}

export interface CatalogItem {
  id: string;
  publishedAt: Date;
  caption: string;
  url: string | null;
  durationMs: number | null;
  /** `available`: it can be selected. `selected`: it waits for its turn. */
  status: 'available' | 'selected' | 'reposted' | 'unavailable';
  /** Why it is unavailable. */
  reason: MessageRef | null;
}

const PURPOSE = 'catalog';
const LEASE_MS = 60_000;

/**
 * Reads a page of a rule's source, newest first. The posts are compared with our own at once, so that they can be
 * selected.
 * @param cursor of the previous page; undefined: the first page
 * @returns `next` is null after the last page
 * @throws ReelayError `unknown_rule`, `platform_not_connected`, `source_unreadable`, `reads_used`,
 * `invalid_request` (cursor)
 */
export async function listCatalog(
  deps: CatalogDeps,
  userId: string,
  ruleId: string,
  cursor: string | undefined,
): Promise<{ items: CatalogItem[]; next: string | null }> {
  const rule = isUuid(ruleId) ? await findSource(deps.db, userId, ruleId) : undefined;
  if (!rule) throw new ReelayError('unknown_rule');
  if (rule.status !== 'CONNECTED') throw apiError('account_not_connected', { account: rule.accountId });
  const purpose = `${PURPOSE} ${ruleId}`;
  const page = await readPage(deps, rule, cursor === undefined ? '' : openCursor(deps.sealer, cursor, purpose));
  const ids = page.posts.map(({ id }) => id);
  for (const id of await unmatched(deps.db, ids)) await matchNow(deps, id);
  const rows = new Map((await readItems(deps.db, ruleId, ids)).map((row) => [row.id, row]));
  const items = ids.flatMap((id) => {
    const row = rows.get(id);
    return row ? [itemOf(row, rule.options, deps)] : [];
  });
  return { items, next: page.next === '' ? null : deps.sealer.seal(page.next, purpose).toString('base64url') };
}

/** Compares a post, unless a worker is doing it or has done it meanwhile. */
async function matchNow(deps: CatalogDeps, id: string): Promise<void> {
  const claim = await dueFound.take(deps.db, id, LEASE_MS);
  if (claim?.row.state === 'new') await matchFound({ ...deps, onFirings() {} }, claim);
  else if (claim) await dueFound.release(deps.db, claim, { afterMs: null, failed: false });
}

/** Index: primary key. */
async function unmatched(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from watched_post where id = any($1::uuid[]) and state = 'new'`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

function openCursor(sealer: Sealer, cursor: string, purpose: string): string {
  try {
    return sealer.open<string>(Buffer.from(cursor, 'base64url'), purpose);
  } catch {
    throw apiError('cursor_invalid');
  }
}

async function readPage(deps: CatalogDeps, source: CatalogSource, cursor: string) {
  try {
    return await readCatalog(deps, source, cursor);
  } catch (error) {
    if (error instanceof PlatformError && error.failure.kind === 'reconnect')
      throw apiError('account_not_connected', { account: source.accountId });
    if (error instanceof BudgetEmpty) throw readsUsed(deps.sessions.connector(source.platform).name, error.waitMs);
    const reason =
      error instanceof PlatformError ? error.failure.detail : error instanceof NetworkError ? unanswered(error) : null;
    if (reason === null) throw error;
    throw apiError('source_not_readable', { reason });
  }
}

function readsUsed(platform: string, waitMs: number): ReelayError {
  return apiError('reads_used_for', { platform, waitMs }, { extras: { retryAfter: Math.ceil(waitMs / SECOND) } });
}

type Source = CatalogSource & { status: string; options: StoredOptions };

/** Index: primary keys. */
async function findSource(db: Queryable, userId: string, ruleId: string): Promise<Source | undefined> {
  const [row] = await db.query<Source>(
    `select a.id as "accountId", a.identity_id as "identityId", a.user_id as "userId", a.platform, a.service, a.sandbox,
       a.status, r.options
     from rule r join account a on a.id = r.from_account where r.id = $1 and r.user_id = $2`,
    [ruleId, userId],
  );
  return row;
}

interface ItemRow extends ForeignContentRow {
  id: string;
  publishedAt: Date;
  isMatched: boolean;
  firing: 'waiting' | 'reposted' | 'skipped' | null;
  hasOpenDestination: boolean;
}

/** Indexes: primary keys, unique keys of firing and source_file, target_lineage, placement_lineage. */
function readItems(db: Queryable, ruleId: string, ids: readonly string[]): Promise<ItemRow[]> {
  return db.query<ItemRow>(
    `select w.id, w.published_at as "publishedAt", w.state <> 'new' as "isMatched", f.state as firing,
       exists (select from rule_destination d join account da on da.id = d.account_id
         where d.rule_id = rule.id and not ${HAS_CONTENT('w.origin_id', 'da.identity_id')}) as "hasOpenDestination",
       ${FOREIGN_CONTENT}
     from watched_post w join rule on rule.id = $1 join account a on a.id = rule.from_account
       left join firing f on f.rule_id = rule.id and f.origin_id = w.origin_id
       left join source_file s on s.watched_post_id = w.id and s.user_id = rule.user_id
         and s.fit = coalesce(rule.options->>'fit', '')
       left join media m on m.id = s.media_id
     where w.id = any($2::uuid[])`,
    [ruleId, ids],
  );
}

function itemOf(row: ItemRow, options: StoredOptions, sources: FileSources): CatalogItem {
  const content = foreignContent(row, sources);
  const decision = decideByHand(completeOptions(options), content, row.hasOpenDestination);
  const { caption, url, durationMs } = content;
  const shown = { id: row.id, publishedAt: row.publishedAt, caption, url, durationMs };
  if (row.firing === 'reposted') return { ...shown, status: 'reposted', reason: null };
  if (row.firing === 'waiting') return { ...shown, status: 'selected', reason: null };
  if (!row.isMatched) return { ...shown, status: 'unavailable', reason: { code: 'match_pending', params: {} } };
  if (decision.then === 'skip' && !canDownloadAgain(content))
    return { ...shown, status: 'unavailable', reason: decision.reason };
  return { ...shown, status: 'available', reason: null };
}
