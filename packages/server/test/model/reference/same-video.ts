/** Which posts show the same video, and what occupies a destination. */

import { sameBeginning } from './captions.ts';
import { all, type Certainty } from './certainty.ts';
import type { FactIndex, Item, Placement } from './fact-index.ts';
import type { Identity, Time } from './facts.ts';
import { LENGTH_TOLERANCE_MS, RACE_MS, SAME_LENGTH_MS, SAME_VIDEO_WINDOW_MS, WHOLE_SECOND_MS } from './limits.ts';

/** One side of a comparison. */
export interface Compared {
  identity: Identity;
  /** Texts before any template. More than one if the text was edited. */
  texts: string[];
  durationMs: number;
  /** All times that can count as the post's publication. */
  times: Time[];
  /** Whether its text comes from the list of a platform, which can cut it. */
  isListed: boolean;
  /** Whether the service has the file, so that it knows the length. */
  hasFile: boolean;
  /** Whether the service can download the file to measure the length. */
  canMeasure: boolean;
}

/** Whether the texts of both sides are equal before any template. */
export function compareTexts(a: Compared, b: Compared): Certainty {
  const cuts = [a, b].flatMap(({ identity, isListed }) =>
    !isListed || identity.list.cutTextAt === null ? [] : [identity.list.cutTextAt],
  );
  const cutAt = cuts.length > 0 ? Math.min(...cuts) : null;
  const verdicts = a.texts.flatMap((x) => b.texts.map((y) => sameBeginning(x, y, cutAt)));
  const [first = 'no'] = verdicts;
  // The documents do not say which text of an edited post is compared.
  return verdicts.every((verdict) => verdict === first) ? first : 'either';
}

/** Whether the service can know the exact length. */
export const hasLength = ({ identity, hasFile, canMeasure }: Compared): boolean =>
  hasFile || canMeasure || identity.list.durations === 'exact';

/**
 * Whether the lengths differ by at most half a second, as far as the service can know them.
 *
 * An unknown length that cannot be measured is no difference: equal captions decide. If the true lengths differ, a
 * service that knows more can still tell the videos apart, so that this is `either`.
 */
export function compareLengths(a: Compared, b: Compared): Certainty {
  const difference = Math.abs(a.durationMs - b.durationMs);
  const isExact = (side: Compared) => side.hasFile || side.identity.list.durations === 'exact';
  const truth: Certainty =
    difference <= SAME_LENGTH_MS - LENGTH_TOLERANCE_MS
      ? 'yes'
      : difference > SAME_LENGTH_MS + LENGTH_TOLERANCE_MS
        ? 'no'
        : 'either';
  const unknown = [a, b].filter((side) => !isExact(side));
  if (unknown.every((side) => side.canMeasure)) return truth;
  if (truth === 'yes') return 'yes';
  // A list can round or cut to whole seconds: each such side shifts the difference by up to a second.
  const isWhole = unknown.every((side) => side.identity.list.durations === 'seconds');
  if (isWhole && difference - unknown.length * 1000 >= WHOLE_SECOND_MS) return 'no';
  return 'either';
}

/**
 * Whether both were published within 7 days of each other.
 *
 * The documents do not say whether the time of a repost or of its source counts. Several times that disagree are
 * `either`.
 */
export function compareTimes(a: Compared, b: Compared): Certainty {
  const verdicts = a.times.flatMap((x) =>
    b.times.map((y): Certainty => {
      const distance = Math.abs(x - y);
      if (distance <= SAME_VIDEO_WINDOW_MS - RACE_MS) return 'yes';
      return distance > SAME_VIDEO_WINDOW_MS + RACE_MS ? 'no' : 'either';
    }),
  );
  const [first = 'no'] = verdicts;
  return verdicts.every((verdict) => verdict === first) ? first : 'either';
}

/** Whether two posts on different accounts are the same video. */
export function compareVideos(a: Compared, b: Compared, anyTime: boolean): Certainty {
  return all(compareTexts(a, b), compareLengths(a, b), anyTime ? 'yes' : compareTimes(a, b));
}

/** An item as one side of a comparison. The files of sources can be measured if the platform gives them. */
export function comparedItem(index: FactIndex, item: Item): Compared {
  const { root } = item;
  const hasFault = index.facts.faults.some(({ kind, identity }) => kind === 'no_file' && identity === root.identity.id);
  return {
    identity: root.identity,
    texts: root.texts.map(({ text }) => text),
    durationMs: root.video.durationMs,
    times: root === item ? [item.at] : [root.at, item.at],
    isListed: root.sender === null,
    // What was reposted was downloaded.
    hasFile: root.sender !== null || root !== item,
    canMeasure: root.identity.list.mode === 'files' && !hasFault,
  };
}

/** A placement as one side of a comparison. "A destination's own video is never downloaded." */
export function comparedPlacement(index: FactIndex, placement: Placement): Compared {
  const { root } = placement;
  return {
    identity: root?.identity ?? index.identity(placement.identity),
    texts: placement.texts,
    durationMs: placement.durationMs,
    times: root && root.at !== placement.at ? [root.at, placement.at] : [placement.at],
    isListed: root !== null && root.sender === null,
    hasFile: placement.kind !== 'outside',
    canMeasure: false,
  };
}

/** Whether another post on the account of one of them could be the other one's partner: a series with one caption. */
function isSeries(index: FactIndex, item: Item, placement: Placement): boolean {
  const [a, b] = [comparedItem(index, item), comparedPlacement(index, placement)];
  const hasAnother = (own: Item, side: Compared) =>
    index
      .itemsOn(own.identity.id)
      .filter(({ lineage }) => lineage !== item.lineage && lineage !== placement.lineage)
      .some((other) => compareTexts(comparedItem(index, other), side) !== 'no');
  return (
    hasAnother(item, b) || (item.root !== item && hasAnother(item.root, b)) || hasAnother(placement.root ?? item, a)
  );
}

/**
 * Whether another post links the item to the placement, although they are not the same directly.
 *
 * The first post gives the origin, and a third one can be near enough to both.
 */
function isBridged(index: FactIndex, item: Item, placement: Placement): boolean {
  const a = comparedItem(index, item);
  const b = comparedPlacement(index, placement);
  if (compareTexts(a, b) === 'no') return false;
  return index.items.some(
    (third) =>
      third.id !== item.id &&
      third.lineage !== item.lineage &&
      third.lineage !== placement.lineage &&
      third.identity.id !== item.identity.id &&
      compareVideos(a, comparedItem(index, third), false) !== 'no' &&
      compareVideos(comparedItem(index, third), b, false) !== 'no',
  );
}

/** Whether a user put one of the lineages on an account that the other one reached too, beside the destination. */
function shareAnAccount(index: FactIndex, item: Item, placement: Placement): boolean {
  const meets = (origins: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...origins].some((id) => id !== placement.identity && others.has(id));
  return (
    meets(index.originIdentities(item.lineage), index.lineageIdentities(placement.lineage)) ||
    meets(index.originIdentities(placement.lineage), index.lineageIdentities(item.lineage))
  );
}

/**
 * Whether a placement is the same video as the item.
 *
 * - The same lineage is the same video, even with another caption.
 * - Two posts on one account are always two videos, so that what an account's own post brought elsewhere is not the
 *   same as another post of that account. If only a repost of one is on the account of the other, the documents do
 *   not decide, so that this is `either`.
 * - In a series with one caption, the documents do not say which posts belong together, so that each is `either`.
 */
export function isSameVideo(index: FactIndex, item: Item, placement: Placement, anyTime: boolean): Certainty {
  if (item.lineage === placement.lineage) return item.isCertain && placement.isCertain ? 'yes' : 'either';
  if (index.originIdentities(placement.lineage).has(item.root.identity.id)) return 'no';
  const direct = compareVideos(comparedItem(index, item), comparedPlacement(index, placement), anyTime);
  if (direct === 'no') return isBridged(index, item, placement) ? 'either' : 'no';
  if (shareAnAccount(index, item, placement)) return 'either';
  return isSeries(index, item, placement) ? 'either' : direct;
}
