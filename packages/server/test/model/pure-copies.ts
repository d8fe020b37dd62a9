/** Finds the destinations in memory that some content has not reached. Mirrors destinations.ts, copies.ts, origins.ts. */
import type { WatchedPost } from '../../src/connectors/contract.ts';
import { type ContentForm, hasText, isSameText, SAME_WITHIN_MS } from '../../src/lineage/content.ts';
import { couldBe } from '../../src/lineage/match.ts';
import type { Content } from '../../src/reposts/decide.ts';
import { verdictOf } from '../../src/reposts/destinations.ts';
import { PLACES, type Place } from './history.ts';
import { readUnproven } from './pure-matching.ts';
import type { PureStore } from './pure-store.ts';
import type { Firing, Target } from './pure-tables.ts';

const ALL_PLACES = Array.from({ length: PLACES }, (_, place) => place);
/** Scaled down from the 2,000 that were compared once. */
const FEW = 10;

/** Content with what its copies are found by. */
export type Form = ContentForm & { at: number };

interface Sought {
  form: Form | null;
  content: Pick<Content, 'file' | 'withoutFile'> & { origin: string };
  /** What the destinations show; null: not known yet. */
  shown: ReadonlyMap<Place, readonly WatchedPost[]> | null;
}

/** HAS_CONTENT of occupancy.ts */
export function hasContent(store: PureStore, origin: number, place: Place): boolean {
  return (
    store.targets.some((t) => t.origin === origin && t.place === place && occupies(store, t)) ||
    store.placements.some((p) => p.origin === origin && p.place === place)
  );
}

/** OCCUPIES of occupancy.ts */
const occupies = (store: PureStore, { state, code }: Target) =>
  state !== 'failed' || code === 'outcome_unknown' || store.bugs.has('failed repost keeps its account');

/** findDestinations of destinations.ts */
export function findDestinations(store: PureStore, firing: Firing, { form, content, shown }: Sought) {
  const copies: Place[] = [];
  const isCompared = form && !(store.bugs.has('own posts not compared') && content.origin === 'own');
  const isOpen = (place: Place) => store.bugs.has('no unique lineage') || !hasContent(store, firing.origin, place);
  const judge = (item: ContentForm, other: ContentForm) => {
    const verdict = verdictOf(item, other, content, store.now);
    return verdict === 'needsLength' && store.bugs.has('lengths not compared') ? 'copy' : verdict;
  };
  const guessed = new Set<Place>();
  const guess = (place: Place) => {
    copies.push(place);
    guessed.add(place);
  };
  for (;;) {
    const open = firing.rule.to.filter((place) => isOpen(place) && !guessed.has(place));
    if (!isCompared || store.bugs.has('no echo')) return { open, copies, needsLength: false };
    const seen = findShownCopies(store, firing, { form, open, shown, judge });
    if (seen.copies.length > 0) {
      copies.push(...seen.copies);
      // Without the lineage nothing closes a destination.
      if (store.bugs.has('no unique lineage')) return { open, copies, needsLength: false };
      continue;
    }
    if (seen.guesses.length > 0) {
      seen.guesses.forEach(guess);
      continue;
    }
    const judged = open
      .flatMap((place) => candidatesOn(store, firing, place, form))
      .map((each) => ({ each, verdict: judge(form, each) }));
    const copy = judged.find(({ verdict }) => verdict === 'copy')?.each;
    const needsLength = seen.needsLength || judged.some(({ verdict }) => verdict === 'needsLength');
    const maybe = judged.find(({ verdict }) => verdict === 'maybe')?.each;
    if (store.bugs.has('no unique lineage')) return { open, copies, needsLength };
    if (copy) {
      copies.push(copy.place);
      joinOrigins(store, firing.origin, copy.origin);
    } else if (maybe) guess(maybe.place);
    else return { open, copies, needsLength };
  }
}

interface Look {
  form: Form;
  open: readonly Place[];
  shown: Sought['shown'];
  judge(item: ContentForm, other: ContentForm): ReturnType<typeof verdictOf>;
}

/** findShownCopies of destinations.ts */
function findShownCopies(store: PureStore, firing: Firing, { form, open, shown, judge }: Look) {
  const copies: Place[] = [];
  const guesses: Place[] = [];
  let needsLength = false;
  for (const place of open)
    for (const { remoteId, text, durationMs, publishedAt } of shown?.get(place) ?? []) {
      const post = { publishedAt: publishedAt ?? form.at, text, durationMs };
      const verdict = judge(form, { text: form.text, durationMs, isMeasured: false });
      const isKnown =
        store.placements.some((p) => p.place === place && p.remoteId === remoteId) ||
        readUnproven(store, place, post.publishedAt).some((target) => couldBe({ ...post, foundAt: null }, target));
      if (verdict === 'different' || isKnown) continue;
      if (verdict === 'needsLength') {
        needsLength = true;
        continue;
      }
      if (verdict === 'maybe') {
        guesses.push(place);
        break;
      }
      store.placements.push({
        ...{ ...post, origin: firing.origin, place, remoteId, contentText: null },
        ...{ isMeasured: false, targetId: null, user: null },
      });
      copies.push(place);
      break;
    }
  return { copies, guesses, needsLength };
}

/** findCandidates of copies.ts */
function candidatesOn(store: PureStore, { origin, isCatalog }: Firing, place: Place, { text, at }: Form) {
  if (!hasText(text)) return [];
  const textOf = (each: { text: string; contentText: string | null }) =>
    store.bugs.has('copies compared by sent text') ? each.text : (each.contentText ?? each.text);
  const mine = ALL_PLACES.filter((each) => hasContent(store, origin, each));
  const placed = store.placements
    .filter((each) => each.place === place)
    .toSorted((a, b) => b.publishedAt - a.publishedAt)
    .slice(0, store.bugs.has('few copies compared') ? FEW : Number.POSITIVE_INFINITY)
    .map((each) => ({ ...each, text: textOf(each), at: each.publishedAt }));
  const queued = store.targets
    .filter((each) => each.place === place && each.state !== 'posted' && occupies(store, each))
    .map((each) => {
      const { post } = each;
      const sent = { text: each.text, contentText: post.contentText };
      const at = (each.state === 'failed' ? each.committedAt : null) ?? store.now;
      return { ...each, text: textOf(sent), durationMs: post.durationMs, isMeasured: true, at };
    });
  return [...placed, ...(store.bugs.has('queued copies ignored') ? [] : queued)]
    .sort((a, b) => a.at - b.at)
    .filter(
      (each) =>
        (isCatalog || Math.abs(each.at - at) <= SAME_WITHIN_MS) &&
        isSameText(each.text, text) &&
        !mine.some((account) => hasContent(store, each.origin, account)),
    );
}

/** joinOrigins of origins.ts */
function joinOrigins(store: PureStore, from: number, into: number): void {
  const rows = [...store.targets, ...store.placements, ...store.watched, ...store.firings, ...store.posts];
  for (const row of rows) if (row.origin === from) row.origin = into;
}
