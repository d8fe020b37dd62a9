/** Checks of watched places and the comparison of what they find, in memory. */
import type { Session } from '../../src/connectors/contract.ts';
import { MINUTE, SECOND } from '../../src/time.ts';
import { nextCheckMs } from '../../src/watching/interval.ts';
import { publishedAt, readSince } from '../../src/watching/moments.ts';
import { readPosts } from '../../src/watching/read-posts.ts';
import type { Place } from './history.ts';
import type { PurePlatforms } from './pure-platform.ts';
import type { PureStore } from './pure-store.ts';
import { due, type Watch, type Watched } from './pure-tables.ts';
import type { Gate } from './stepper.ts';

interface Claimed<Row> {
  row: Row;
  fence: number;
}

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
  if (!store.isWanted(row.place)) return store.release(row, null);
  const startedAt = store.now;
  const since = readSince(row.beganAt, row.checkedAt);
  const flow = platforms.watch(row.place, gate);
  const { posts, mark, problem } = await readPosts(flow, {} as Session, { since, mark: row.mark });
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
  // noteMissing
  for (const each of store.watched) {
    if (each.place !== row.place || each.publishedAt <= since || listed.has(each.remoteId)) continue;
    if ((each.goneAt !== null && each.missingSince !== null) || each.foundAt >= startedAt) continue;
    if (each.missingSince !== null) each.goneAt = startedAt;
    each.missingSince ??= startedAt;
    store.reviseReposts(each);
  }
}

/** storePosts of watch-store.ts */
function storePost(
  { store, platforms }: { store: PureStore; platforms: PurePlatforms },
  place: Place,
  beganAt: number,
  post: { remoteId: string; at: number; text: string; isPublic: boolean },
): void {
  const { remoteId, at, text, isPublic } = post;
  if (at < beganAt) return;
  const known = store.watched.find((each) => each.place === place && each.remoteId === remoteId);
  if (known) {
    const isBack = known.missingSince !== null && known.goneAt !== null;
    const isChanged = known.missingSince !== null || known.text !== text || known.isPublic !== isPublic;
    if (known.missingSince !== null) known.goneAt = null;
    Object.assign(known, { text, isPublic, missingSince: null });
    if (isBack) store.reopenGone(known);
    if (isChanged) store.reviseReposts(known);
    return;
  }
  const { content } = platforms.find(place, remoteId) ?? { content: -1 };
  store.watched.push({
    ...{ ...due(store.now), id: store.id(), place, remoteId, content, publishedAt: at, text, isPublic },
    ...{ state: 'new', origin: null, foundAt: store.now, missingSince: null, goneAt: null },
  });
}

/** matchFound of match-posts.ts */
export async function matchWatched(
  store: PureStore,
  platforms: PurePlatforms,
  claim: Claimed<Watched>,
  gate: Gate,
): Promise<void> {
  const { row } = claim;
  await gate();
  if (!store.holds(claim) || row.state !== 'new') return;
  const match = store.match(row);
  if (store.bugs.has('no lane lock')) await gate();
  const item = platforms.find(row.place, row.remoteId);
  store.record(row, match);
  if (match.kind !== 'wait' && match.kind !== 'proof') {
    if (item) item.knownAt ??= store.now;
    return;
  }
  await gate();
  if (match.kind === 'proof') {
    const target = store.targets.find(({ id }) => String(id) === match.targetId);
    if (target && target.state !== 'posted') {
      store.posted(target, row.remoteId, row.publishedAt, true);
      if (item && target.remoteId !== null) item.knownAt ??= store.now;
    }
    await gate();
  }
  if (!store.holds(claim)) return;
  const afterMs = match.kind === 'proof' ? 0 : Math.min(MINUTE, SECOND * 2 ** Math.min(10, row.attempts));
  store.release(row, store.now + afterMs, true);
}
