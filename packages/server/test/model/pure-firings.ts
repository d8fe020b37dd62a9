/** The decisions of rules that are due, and what makes them due again. Mirrors lineage/firings.ts. */
import { DAY } from '../../src/lib/time.ts';
import { FIRING_DAYS } from '../../src/lineage/firings.ts';
import type { PureStore } from './pure-store.ts';
import { due, type Firing, hasBegun, type Post, type Rule, type Target, type Watched } from './pure-tables.ts';

/** addFirings and addFiringsOfWatched @param moment ms since the epoch */
export function addFirings(
  store: PureStore,
  rules: readonly Rule[],
  of: Pick<Firing, 'origin' | 'content' | 'target' | 'watched'>,
  moment: number,
): void {
  const at = Math.min(moment, store.now);
  const inclusive = store.bugs.has('interval off by one');
  for (const rule of rules) {
    if (store.firings.some((firing) => firing.rule === rule && firing.origin === of.origin)) {
      if (!store.bugs.has('duplicate firing')) continue;
    }
    const isActive =
      store.bugs.has('pause ignored') ||
      rule.intervals.some(({ from, to }) => from <= at && (to === null || to > at || (inclusive && to === at)));
    if (!isActive && at < rule.createdAt) continue;
    if (at <= store.now - FIRING_DAYS * DAY && !store.bugs.has('old content decided again')) continue;
    store.firings.push({
      ...due(store.now),
      ...of,
      id: store.id(),
      rule,
      copy: null,
      isCatalog: false,
      state: isActive ? 'waiting' : 'skipped',
      reason: isActive ? null : 'posted_while_paused',
      createdAt: store.now,
      dueAt: isActive ? store.now : null,
      decidedAt: isActive ? null : store.now,
      limitedAt: null,
    });
  }
}

/** Makes a firing due again. */
export function reopen(store: PureStore, firing: Firing): void {
  Object.assign(firing, { state: 'waiting', reason: null, decidedAt: null, dueAt: store.now });
}

const isSkippedAs = ({ state, reason }: Firing, ...reasons: string[]) =>
  state === 'skipped' && reasons.includes(reason ?? '');

/** LEFT_OUT and REOPEN_LEFT_OUT */
function reopenIfLeftOut(store: PureStore, firing: Firing, { origin, place }: Target): void {
  if (firing.origin !== origin || !firing.rule.to.includes(place)) return;
  if (isSkippedAs(firing, 'already_there', 'echo')) reopen(store, firing);
  if (firing.state !== 'reposted' || store.bugs.has('repost not extended')) return;
  const post = postOf(store, firing);
  if (!store.targets.some((target) => target.post === post && target.place === place))
    Object.assign(firing, { dueAt: store.now, reason: null });
}

/** reopenLeftOut */
export function reopenLeftOut(store: PureStore, deleted: readonly Target[]): void {
  const queued = deleted.filter(({ dueAt }) => dueAt !== null);
  for (const firing of store.firings) for (const target of queued) reopenIfLeftOut(store, firing, target);
}

/** reopenAfterFailure */
export function reopenAfterFailure(store: PureStore, target: Target): void {
  if (target.code === 'outcome_unknown' || store.bugs.has('failed repost keeps its account')) return;
  for (const firing of store.firings) reopenIfLeftOut(store, firing, target);
}

/** reopenPublic */
export function reopenPublic(store: PureStore, watched: Watched): void {
  if (!watched.isPublic || !watched.publicInTime) return;
  for (const firing of store.firings)
    if (firing.watched === watched && isSkippedAs(firing, 'source_private')) reopen(store, firing);
}

/** OF_FOUND */
const firingsOf = (store: PureStore, { place, origin }: Watched) =>
  store.firings.filter((each) => each.rule.from === place && each.origin === origin);

/** reopenGone */
export function reopenGone(store: PureStore, watched: Watched): void {
  store.files = store.files.filter((file) => file.watched !== watched || file.problem !== 'gone');
  for (const firing of firingsOf(store, watched)) if (isSkippedAs(firing, 'gone')) reopen(store, firing);
}

/** reviseReposts */
export function reviseReposts(store: PureStore, watched: Watched): void {
  for (const firing of firingsOf(store, watched))
    if (firing.state === 'reposted' && repostOf(store, firing)) firing.dueAt = store.now;
}

/** The repost of a firing, while it is there. */
export const postOf = (store: PureStore, { rule, origin }: Firing): Post | undefined =>
  store.posts.find((each) => each.ruleId === rule.id && each.origin === origin);

/** The same, if none of its targets has begun. */
export function repostOf(store: PureStore, firing: Firing): { post: Post; targets: Target[] } | null {
  const post = postOf(store, firing);
  const targets = store.targets.filter((target) => target.post === post);
  return post && !hasBegun(targets) && targets.some(({ state }) => state === 'scheduled') ? { post, targets } : null;
}
