/** Checks of watched places and the comparison of what they find, in memory. */
import type { Session } from '../../src/connectors/contract.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { FIRING_DAYS } from '../../src/lineage/firings.ts';
import { nextCheckMs } from '../../src/watching/check-interval.ts';
import { publishedAt, readSince } from '../../src/watching/post-times.ts';
import { readPosts } from '../../src/watching/read-posts.ts';
import type { Place } from './history.ts';
import { reopenGone, reopenPublic, reviseReposts } from './pure-firings.ts';
import { match, recordMatch } from './pure-matching.ts';
import type { PurePlatforms } from './pure-platform.ts';
import { recordPosted } from './pure-posts.ts';
import { hasReader, isWanted } from './pure-rules.ts';
import type { PureStore } from './pure-store.ts';
import { due, type Watch, type Watched } from './pure-tables.ts';
import type { Gate } from './stepper.ts';

interface Claimed<Row> {
  row: Row;
  fence: number;
}

/** The longest retryCheckMs of check-interval.ts. */
const UNREADABLE_MS = 15 * MINUTE;

/** checkWatch of check.ts */
export async function checkWatch(
  store: PureStore,
  platforms: PurePlatforms,
  claim: Claimed<Watch>,
  gate: Gate,
): Promise<void> {
  const { row } = claim;
  const { version } = row;
  await gate();
  if (!store.holds(claim)) return;
  if (!isWanted(store, row.place)) return store.release(row, null);
  if (!hasReader(store, row.place)) return store.release(row, store.now + UNREADABLE_MS);
  const startedAt = store.now;
  const since = readSince(row.beganAt, row.checkedAt);
  const flow = platforms.watch(row.place, gate);
  const { posts, mark, problem } = await readPosts(
    (at) => flow.list({} as Session, at),
    { since, mark: row.mark },
    () => false,
  );
  await gate();
  if (!store.holds(claim) || row.version !== version) return;
  const hadMark = row.mark !== null || mark !== undefined;
  row.mark = (mark as { after: number } | undefined) ?? row.mark;
  row.checkedAt = startedAt;
  row.version++;
  row.recent = [...posts.flatMap((post) => post.publishedAt ?? []), ...row.recent].sort((a, b) => b - a).slice(0, 10);
  store.release(row, store.now + nextCheckMs({ recent: row.recent, now: startedAt, sandbox: false }));
  if (store.bugs.has('mark stored before posts')) await gate();
  const listed = new Set(posts.map(({ remoteId }) => remoteId));
  for (const post of posts)
    storePost({ store, platforms }, row.place, row.beganAt, { ...post, at: publishedAt(post.publishedAt, startedAt) });
  if (hadMark || problem) return;
  platforms.noteCheck(row.place, { since, startedAt, listed });
  // noteMissing
  for (const each of store.watched) {
    if (each.place !== row.place || each.publishedAt <= since || listed.has(each.remoteId)) continue;
    if ((each.goneAt !== null && each.missingSince !== null) || each.foundAt >= startedAt) continue;
    if (each.missingSince !== null) each.goneAt ??= startedAt;
    each.missingSince ??= startedAt;
    if (each.goneAt === startedAt) reviseReposts(store, each);
  }
}

/** IN_TIME of watch-store.ts */
const IN_TIME_MS = 48 * HOUR;

interface Listed {
  remoteId: string;
  at: number;
  text: string;
  isPublic: boolean;
  durationMs: number | null;
}

/** storePosts of watch-store.ts */
function storePost(
  world: { store: PureStore; platforms: PurePlatforms },
  place: Place,
  beganAt: number,
  post: Listed,
): void {
  const { store } = world;
  if (post.at < beganAt) return;
  const isAncient = ({ targetId, publishedAt }: PureStore['placements'][number]) =>
    store.bugs.has('old content decided again') ? targetId === null : publishedAt < store.now - FIRING_DAYS * DAY;
  const isNew = !store.watched.some((each) => each.place === place && each.remoteId === post.remoteId);
  const isKept = store.placements.some((p) => p.place === place && p.remoteId === post.remoteId && isAncient(p));
  if (isNew && isKept) return;
  const watched = keep(world, place, post);
  reopenPublic(store, watched);
}

/** Number of pages that a user reads. */
const CATALOG_PAGES = 2;

/** storeCatalog of watch-store.ts @returns the newest posts */
export function readCatalog(store: PureStore, platforms: PurePlatforms, place: Place): Watched[] {
  const listed = platforms.newest(place, CATALOG_PAGES);
  platforms.noteSeen(place, listed);
  return listed.map((post) => {
    const known = store.placements.find((p) => p.place === place && p.remoteId === post.remoteId);
    const at = publishedAt(post.publishedAt, store.now);
    return keep({ store, platforms }, place, { ...post, at: Math.min(at, known?.publishedAt ?? at) });
  });
}

/** UPDATED of watch-store.ts, and followChanges */
function keep(
  { store, platforms }: { store: PureStore; platforms: PurePlatforms },
  place: Place,
  { remoteId, at, text, isPublic, durationMs }: Listed,
): Watched {
  const known = store.watched.find((each) => each.place === place && each.remoteId === remoteId);
  if (known) {
    const isBack = known.missingSince !== null && known.goneAt !== null;
    const isChanged = known.missingSince !== null || known.text !== text || known.isPublic !== isPublic;
    if (known.missingSince !== null) known.goneAt = null;
    if (isChanged) known.publicInTime ||= isPublic && store.now <= Math.max(known.publishedAt, at) + IN_TIME_MS;
    Object.assign(known, { text, isPublic, missingSince: null });
    if (isBack) reopenGone(store, known);
    if (isChanged) reviseReposts(store, known);
    return known;
  }
  const { content } = platforms.find(place, remoteId) ?? { content: -1 };
  const watched: Watched = {
    ...{ ...due(store.now), id: store.id(), place, remoteId, content, publishedAt: at, text, isPublic, durationMs },
    ...{ isMeasured: false, publicInTime: isPublic, state: 'new', origin: null, foundAt: store.now },
    ...{ missingSince: null, goneAt: null },
  };
  store.watched.push(watched);
  return watched;
}

/** matchFound of match-posts.ts */
export async function matchWatched(
  store: PureStore,
  platforms: PurePlatforms,
  claim: Claimed<Watched>,
  gate: Gate,
  onPending: (watched: Watched) => void = () => {},
): Promise<void> {
  const { row } = claim;
  await gate();
  if (!store.holds(claim) || row.state !== 'new') return;
  const result = match(store, row);
  if (store.bugs.has('no lane lock')) await gate();
  const item = platforms.find(row.place, row.remoteId);
  recordMatch(store, row, result);
  if (result.kind !== 'wait' && result.kind !== 'proof') {
    if (item) item.knownAt ??= store.now;
    return;
  }
  if (result.kind === 'wait') onPending(row);
  await gate();
  if (result.kind === 'proof') {
    const target = store.targets.find(({ id }) => String(id) === result.targetId);
    if (target && target.state !== 'posted') {
      recordPosted(store, target, row, true);
      if (item && target.remoteId !== null) item.knownAt ??= store.now;
    }
    await gate();
  }
  if (!store.holds(claim)) return;
  const afterMs = result.kind === 'proof' ? 0 : Math.min(MINUTE, SECOND * 2 ** Math.min(10, row.attempts));
  store.release(row, store.now + afterMs, true);
}
