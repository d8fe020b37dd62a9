/** Decides whether a post found on an account is one of ours, or was made elsewhere. Pure. */
import { comparableText } from '../connectors/kit/comparable-text.ts';
import { HOUR, MINUTE } from '../lib/time.ts';
import { hasText, isSameText } from './content.ts';

/** A post found on an account. Times are in ms since the epoch, durations in ms. */
export interface FoundPost {
  /** By the platform's clock. */
  publishedAt: number;
  /** When it was found first, by ours; null: it may have been there for any time. */
  foundAt: number | null;
  text: string;
  /** null if the platform does not say. */
  durationMs: number | null;
}

/** A target of the same identity whose outcome is not known, or was not known when we gave up on it. */
export interface UnprovenTarget {
  id: string;
  /** `open`: it will be settled. `gaveUp`: it failed with an unknown outcome. */
  outcome: 'open' | 'gaveUp';
  /** Time just before the first send that may have made a post; null: nothing was sent yet. */
  sentFrom: number | null;
  text: string;
  durationMs: number;
}

/** A post of ours in the ledger whose remote id we never learned, and of which we cannot know whether it is there. */
export interface NamelessPost {
  placementId: string;
  originId: string;
  text: string;
  durationMs: number | null;
}

/**
 * The ledger's entry with the post's remote id. `isOurs`: it was posted through us, by this user if still known.
 * `isUnclear`: it may have been, when it was found the first time.
 */
export interface KnownPost {
  originId: string;
  userId: string | null;
  isOurs: boolean;
  isUnclear: boolean;
  /** As it was sent, or found the first time. */
  text: string;
}

export interface MatchFacts {
  post: FoundPost;
  known: KnownPost | null;
  unproven: readonly UnprovenTarget[];
  /** Those of this identity from around the time of the post, oldest first. */
  nameless: readonly NamelessPost[];
}

/**
 * - `known`: the ledger has it.
 * - `wait`: a send of ours may have made it; its target is still being settled.
 * - `proof`: it proves that a target appeared whose outcome was unknown.
 * - `named`: it is a post of ours whose remote id was not known.
 * - `unclear`: it may be one of ours, but nothing identifies it.
 * - `foreign`: it was made elsewhere.
 */
export type Match =
  | ({ kind: 'known' } & KnownPost)
  | { kind: 'wait' }
  | { kind: 'proof'; targetId: string }
  | { kind: 'named'; post: NamelessPost }
  | { kind: 'unclear' }
  | { kind: 'foreign' };

/**
 * Clocks of platforms and of this service differ, and platforms report whole seconds. Too much is better than too little:
 * a post of ours that counts as made elsewhere is reposted once more.
 */
const CLOCK_SLACK_MS = HOUR;
/** Clocks of the servers of this service differ less, and an administrator may set one back. */
export const OWN_CLOCK_SLACK_MS = MINUTE;
/** Platforms cut and round durations, some to whole seconds. */
const DURATION_SLACK_MS = 1_500;

export function matchPost({ post, known, unproven, nameless }: MatchFacts): Match {
  if (known) return { kind: 'known', ...known };
  const possible = unproven.filter((target) => couldBe(post, target));
  if (possible.some(({ outcome }) => outcome === 'open')) return { kind: 'wait' };
  const alike = possible.filter((target) => isSameText(post.text, target.text));
  const [first] = alike.toSorted((a, b) => (a.sentFrom ?? 0) - (b.sentFrom ?? 0));
  if (first) return { kind: 'proof', targetId: first.id };
  const equallyLong = nameless.filter((each) => isAsLong(post, each));
  const named = equallyLong.find(({ text }) => isSameText(post.text, text));
  if (named) return { kind: 'named', post: named };
  const isSilent = !hasText(post.text) && [...possible, ...equallyLong].some(({ text }) => !hasText(text));
  return isSilent ? { kind: 'unclear' } : { kind: 'foreign' };
}

/** Whether the post may be the result of a send of this target. */
export function couldBe(post: FoundPost, target: UnprovenTarget): boolean {
  const { sentFrom } = target;
  if (sentFrom === null || post.publishedAt < sentFrom - CLOCK_SLACK_MS) return false;
  if (post.foundAt !== null && post.foundAt < sentFrom - OWN_CLOCK_SLACK_MS) return false;
  return isAsLong(post, target) && !isOtherText(post.text, target.text);
}

function isAsLong(a: Pick<FoundPost, 'durationMs'>, b: Pick<FoundPost, 'durationMs'>): boolean {
  return a.durationMs === null || b.durationMs === null || Math.abs(a.durationMs - b.durationMs) <= DURATION_SLACK_MS;
}

/**
 * Whether a text certainly is not the one that was sent. A list may cut it, leave it out, or put a title before it. So any
 * text may belong to a send without one.
 * @param shown the text that the platform lists
 */
function isOtherText(shown: string, sent: string): boolean {
  const [found, ours] = [comparableText(shown), comparableText(sent)];
  return !found.includes(ours) && !ours.includes(found);
}
