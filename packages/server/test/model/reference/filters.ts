/** Filters of a rule, and the requirements of uploads. */

import { hashtagsOf } from './captions.ts';
import type { Certainty } from './certainty.ts';
import type { FactIndex, Item } from './fact-index.ts';
import type { RuleOptions } from './facts.ts';
import { LENGTH_TOLERANCE_MS, MAX_VIDEO_MS, MIN_VIDEO_MS } from './limits.ts';

export const FILTER_REASONS = [
  'filtered_missing_word',
  'filtered_word',
  'filtered_hashtag',
  'filtered_too_short',
  'filtered_too_long',
] as const;

export type FilterReason = (typeof FILTER_REASONS)[number];

/**
 * Whether a text contains one of the words.
 *
 * The guide says "words", the OpenAPI document "contain one of these". A match inside a longer word is `either`.
 */
function hasWord(text: string, words: readonly string[]): Certainty {
  const lower = text.toLowerCase();
  const isEdge = (character: string | undefined) => character === undefined || !/[\p{L}\p{N}]/u.test(character);
  let verdict: Certainty = 'no';
  for (const word of words.map((entry) => entry.toLowerCase())) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
      if (isEdge([...lower.slice(0, at)].at(-1)) && isEdge([...lower.slice(at + word.length)][0])) return 'yes';
      verdict = 'either';
    }
  }
  return verdict;
}

/** How far the length that the service knows can be from the true one; null: it need not know it. */
function lengthTolerance(index: FactIndex, item: Item): number | null {
  if (item.sender !== null || item.identity.list.durations === 'exact') return LENGTH_TOLERANCE_MS;
  const hasFault = index.facts.faults.some(({ kind, identity }) => kind === 'no_file' && identity === item.identity.id);
  if (item.identity.list.durations === 'seconds') return 1000;
  return item.identity.list.mode === 'files' && !hasFault ? LENGTH_TOLERANCE_MS : null;
}

const NOT: Record<Certainty, Certainty> = { yes: 'no', no: 'yes', either: 'either' };

/** Whether the filter with this reason refuses an item with this text. */
export function isFiltered(
  index: FactIndex,
  reason: FilterReason,
  filters: RuleOptions['filters'],
  item: Item,
  text: string,
): Certainty {
  const shorterThan = (seconds: number | null): Certainty => {
    if (seconds === null) return 'no';
    const tolerance = lengthTolerance(index, item);
    if (tolerance === null) return 'either';
    const difference = item.video.durationMs - seconds * 1000;
    return difference < -tolerance ? 'yes' : difference > tolerance ? 'no' : 'either';
  };
  switch (reason) {
    case 'filtered_missing_word':
      return filters.contains.length === 0 ? 'no' : NOT[hasWord(text, filters.contains)];
    case 'filtered_word':
      return hasWord(text, filters.excludes);
    case 'filtered_hashtag': {
      if (filters.hashtags.length === 0) return 'no';
      const wanted = filters.hashtags.map((tag) => tag.replace(/^#/, '').toLowerCase());
      return hashtagsOf(text).some((tag) => wanted.includes(tag.slice(1).toLowerCase())) ? 'no' : 'yes';
    }
    case 'filtered_too_short':
      return shorterThan(filters.minSeconds);
    case 'filtered_too_long':
      return filters.maxSeconds === null ? 'no' : NOT[shorterThan(filters.maxSeconds)];
  }
}

/** Whether a downloaded video meets the requirements of uploads: 3 to 90 seconds, 9:16 unless `fit` converts it. */
export function meetsRequirements(item: Item, fit: RuleOptions['fit']): Certainty {
  const { durationMs, isVertical } = item.video;
  if (!isVertical && fit === null) return 'no';
  if (durationMs < MIN_VIDEO_MS - LENGTH_TOLERANCE_MS || durationMs > MAX_VIDEO_MS + LENGTH_TOLERANCE_MS) return 'no';
  return durationMs >= MIN_VIDEO_MS && durationMs <= MAX_VIDEO_MS ? 'yes' : 'either';
}
