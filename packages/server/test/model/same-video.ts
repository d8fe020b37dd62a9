/** Which posts show the same video, as far as captions, lengths and times tell. */

import { DAY, HOUR } from '../../src/lib/time.ts';
import type { Appearance, Facts } from './facts.ts';

/** A post with the captions that its video had on its sources, before any template. */
export interface Seen extends Appearance {
  words: readonly string[];
}

export interface SeenFacts extends Facts {
  appearances: readonly Seen[];
}

/** Copies are recognized for 7 days; near that, either is right. */
const WITHIN = { surely: 6 * DAY, perhaps: 8 * DAY };
const SLACK_MS = 500;
/** A video is waited for this long to learn its length; near that, either is right. */
const MEASURED_WITHIN_MS = 20 * HOUR;

export function seenFacts(facts: Facts): SeenFacts {
  const { appearances } = facts;
  const wordsOf = (a: Appearance) => {
    if (!a.isRepost) return a.texts;
    const roots = appearances.filter((each) => each.content === a.content && !each.isRepost);
    return [...new Set(roots.flatMap(({ texts }) => texts))];
  };
  return { ...facts, appearances: appearances.map((a) => ({ ...a, words: wordsOf(a) })) };
}

/**
 * Whether another post at the place shows the same video. Edited captions may have been compared before or after.
 * @param b perhaps a post that is elsewhere, as if it was at the place of `a` @param decidedAt when they were compared
 */
export function isCopy(
  facts: SeenFacts,
  a: Seen,
  b: Seen,
  copy: 'surely' | 'perhaps',
  decidedAt: number | null = null,
): boolean {
  if (a === b || a.content === b.content || a.on !== b.on) return false;
  const isSame = a.words.some((text) => text !== '' && b.words.includes(text));
  const isClear = copy === 'perhaps' || (a.words.length === 1 && b.words.length === 1);
  if (!isSame || !isClear || Math.abs(a.at.max - b.at.max) >= WITHIN[copy]) return false;
  const lengths = compareLengths(facts, a, b, decidedAt);
  return lengths === 'same' || (lengths === 'unclear' && copy === 'perhaps');
}

function compareLengths(
  facts: SeenFacts,
  a: Seen,
  b: Seen,
  decidedAt: number | null,
): 'same' | 'different' | 'unclear' {
  if (a.lengthMs === undefined || b.lengthMs === undefined) return 'same';
  const isSame = Math.abs(a.lengthMs - b.lengthMs) <= SLACK_MS;
  if (!isExact(facts, a)) return 'unclear';
  // What a third post seems to be equal to becomes one with it.
  const isBetween = (c: Seen) => isRough(facts, c) && c.words.some((text) => a.words.includes(text));
  if (!isSame) return facts.appearances.some(isBetween) ? 'unclear' : 'different';
  const isMeasured = isExact(facts, b) || decidedAt === null || decidedAt - b.at.min < MEASURED_WITHIN_MS;
  return isMeasured ? 'same' : 'unclear';
}

/** Contents that may count as this one: copies of it, copies of these, and so on. With it. */
export function mayBeOne(facts: SeenFacts, content: number): ReadonlySet<number> {
  const found = new Set([content]);
  const of = (each: number) => facts.appearances.filter((a) => a.content === each);
  const isAlike = (a: Seen, b: Seen) => {
    // Another user's rule knows a repost by the caption that it shows.
    const wordsOf = ({ words, texts }: Seen) => [...words, ...texts];
    const shared = wordsOf(a).filter((text) => text !== '' && wordsOf(b).includes(text));
    const isBetween = (c: Seen) => isRough(facts, c) && wordsOf(c).some((text) => shared.includes(text));
    const isSame = Math.abs((a.lengthMs ?? 0) - (b.lengthMs ?? 0)) <= SLACK_MS;
    return shared.length > 0 && (isSame || facts.appearances.some(isBetween));
  };
  for (const known of found)
    for (const a of of(known))
      for (const b of facts.appearances) if (!found.has(b.content) && isAlike(a, b)) found.add(b.content);
  return found;
}

/**
 * Whether captions may have decided for want of a length. What a rule finds on its source is downloaded in time, but not
 * what a destination shows.
 */
function isRough(facts: SeenFacts, post: Seen): boolean {
  const { rules, lines, jump } = facts;
  if (isExact(facts, post)) return false;
  const isDestination = rules.some(({ to, formerTo = [] }) => [...to, ...formerTo].includes(post.on));
  const isLate = lines.some(
    ({ content, rule, decidedAt }) =>
      content === post.content && rules[rule]?.from === post.on && (decidedAt ?? 0) - post.at.min > MEASURED_WITHIN_MS,
  );
  const isKept = post.removedAt === null && !post.wasAway && !post.isMixed && !rules.some(({ wasBlind }) => wasBlind);
  return isDestination || isLate || !isKept || Boolean(jump);
}

/** Whether Reelay knows the length of a post to the hundredth of a second. Other lengths may be measured, or not. */
const isExact = ({ lists }: Facts, { by, on }: Seen) => by !== 'phone' || lists?.[on]?.lengths === 'exact';
