/** Compares found posts with our own, in memory. Mirrors found-post-store.ts and match-posts.ts. */
import { SAME_WITHIN_MS } from '../../src/lineage/content.ts';
import { type Match, matchPost, type UnprovenTarget } from '../../src/lineage/match.ts';
import type { Place, User } from './history.ts';
import { addFirings } from './pure-firings.ts';
import type { PureStore } from './pure-store.ts';
import type { Placement, Watched } from './pure-tables.ts';

/** readUnproven */
export function readUnproven(store: PureStore, place: Place, publishedAt: number): UnprovenTarget[] {
  return store.targets
    .filter(
      (each) =>
        each.place === place &&
        each.committedAt !== null &&
        (['committing', 'unknown'].includes(each.state) ||
          (each.code === 'outcome_unknown' && (each.settledAt ?? 0) > publishedAt - SAME_WITHIN_MS)),
    )
    .map(({ id, state, committedAt, text, post: { durationMs } }) => {
      const outcome = state === 'failed' ? 'gaveUp' : 'open';
      return { id: String(id), outcome, sentFrom: committedAt, text, durationMs };
    });
}

/** readMatchFacts and matchPost */
export function match(store: PureStore, found: Watched): Match {
  const { place, remoteId, publishedAt, foundAt, text, durationMs } = found;
  const known = store.placements.find((p) => p.place === place && p.remoteId === remoteId);
  const nameless = store.placements.filter(
    (p) => p.place === place && p.remoteId === null && Math.abs(p.publishedAt - publishedAt) <= SAME_WITHIN_MS,
  );
  const isBlind = store.bugs.has('no hold while unknown');
  const isWide = store.bugs.has('every post may be ours');
  const result = matchPost({
    post: { publishedAt, foundAt, text, durationMs },
    known: known
      ? { ...nameOf(known), isOurs: known.targetId !== null, isUnclear: known.isUnclear ?? false, text: known.text }
      : null,
    unproven: readUnproven(store, place, publishedAt).flatMap((each) => {
      if (each.outcome === 'gaveUp') return [each];
      return isBlind ? [] : [isWide ? { ...each, text } : each];
    }),
    nameless: nameless.map((p) => ({
      originId: String(p.origin),
      placementId: String(store.placements.indexOf(p)),
      text: p.text,
      durationMs: p.durationMs,
    })),
  });
  store.onMatch(result.kind);
  return result;
}

/** record of match-posts.ts */
export function recordMatch(store: PureStore, found: Watched, result: Match): void {
  if (result.kind === 'wait' || result.kind === 'proof') return;
  const { place, remoteId, text, publishedAt, content, durationMs, isMeasured } = found;
  const known =
    result.kind === 'known'
      ? result
      : result.kind === 'named'
        ? { ...result.post, isOurs: true, isUnclear: false }
        : null;
  if (result.kind === 'named') {
    const named = store.placements[Number(result.post.placementId)];
    if (named) named.remoteId = remoteId;
  }
  const origin = known ? Number(known.originId) : store.id();
  store.release(found, null);
  found.origin = origin;
  const isUnclear = known ? known.isUnclear : result.kind === 'unclear';
  found.state = known?.isOurs ? 'own' : isUnclear ? 'echo' : 'foreign';
  if (!known)
    store.placements.push({
      ...{ origin, place, remoteId, text, contentText: null, durationMs, isMeasured, publishedAt },
      ...{ targetId: null, user: null, isUnclear },
    });
  if (result.kind === 'known' && result.isOurs && result.userId === null) return;
  const isOwner = (user: User) =>
    result.kind === 'known' && String(user) === result.userId && !store.bugs.has('duplicate firing');
  const rules = store.rules.filter(({ user, from }) => from === place && !isOwner(user));
  addFirings(store, rules, { origin, content, target: null, watched: found }, publishedAt);
}

const nameOf = ({ origin, user }: Placement) => ({
  originId: String(origin),
  userId: user === null ? null : String(user),
});
