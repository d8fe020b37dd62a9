/**
 * Decides whether a post found on an account is one of ours, made elsewhere, or a copy of content that the account
 * already has. Pure.
 */
import { comparableText } from '../connectors/kit/comparable-text.ts';
import { DAY, MINUTE, SECOND } from '../time.ts';

/** A post found on an account. Times are in ms since the epoch, durations in ms. */
export interface FoundPost {
  publishedAt: number;
  text: string;
  /** null if the platform does not say. */
  durationMs: number | null;
}

/** A target of the same identity whose outcome is not known, or was not known when we gave up on it. */
export interface UnprovenTarget {
  id: string;
  /** `open`: it will be settled. `gaveUp`: it failed with an unknown outcome. */
  outcome: 'open' | 'gaveUp';
  /** Time just before the last send; null before the first. */
  committedAt: number | null;
  text: string;
  durationMs: number;
}

/** What the ledger says about the same identity. */
export interface PlacedPost {
  originId: string;
  text: string;
  durationMs: number | null;
  /** False if we posted it without learning its remote id, and cannot know whether it is there. Default: true. */
  isProven?: boolean;
}

export interface MatchFacts {
  post: FoundPost;
  /** The ledger's entry with the post's remote id. */
  known: { originId: string; userId: string | null } | null;
  unproven: readonly UnprovenTarget[];
  /** Other posts of this identity from the last {@link ECHO_WITHIN_MS}. */
  placed: readonly PlacedPost[];
}

/**
 * - `own`: the ledger has it.
 * - `wait`: a send of ours may have made it; its target is still being settled.
 * - `proof`: it proves that a target appeared whose outcome was unknown.
 * - `unclear`: it may be such a target, but nothing identifies it.
 * - `echo`: the account already has the same content.
 * - `foreign`: it was made elsewhere.
 */
export type Match =
  | { kind: 'own'; originId: string; userId: string | null }
  | { kind: 'wait' }
  | { kind: 'proof'; targetId: string }
  | { kind: 'unclear' }
  | { kind: 'echo'; originId: string }
  | { kind: 'foreign' };

/** How long content counts as already there, in ms. */
export const ECHO_WITHIN_MS = 7 * DAY;
/** Clocks of platforms and of this service differ, and platforms report whole seconds. */
const CLOCK_SLACK_MS = 10 * MINUTE;
/** Platforms cut and round durations. */
const DURATION_SLACK_MS = 500;

export function matchPost({ post, known, unproven, placed }: MatchFacts): Match {
  if (known) return { kind: 'own', ...known };
  const possible = unproven.filter((target) => couldBe(post, target));
  if (possible.some(({ outcome }) => outcome === 'open')) return { kind: 'wait' };
  const alike = possible.filter((target) => isSameText(post.text, target.text));
  const [first] = alike.toSorted((a, b) => (a.committedAt ?? 0) - (b.committedAt ?? 0));
  if (first) return { kind: 'proof', targetId: first.id };
  const nameless = placed.filter((each) => each.isProven === false && isSameDuration(post.durationMs, each.durationMs));
  if (!hasText(post.text) && [...possible, ...nameless].some(({ text }) => !hasText(text))) return { kind: 'unclear' };
  const echo = placed.find((each) => isEcho(post, each));
  return echo ? { kind: 'echo', originId: echo.originId } : { kind: 'foreign' };
}

/** Whether a post shows the same content: equal text that is not empty, and equal duration as far as known. */
export function isEcho(
  post: Pick<FoundPost, 'text' | 'durationMs'>,
  other: Pick<PlacedPost, 'text' | 'durationMs'>,
): boolean {
  return isSameText(post.text, other.text) && isSameDuration(post.durationMs, other.durationMs);
}

/** Whether the post may be the result of a send of this target, as far as times and durations tell. */
function couldBe(post: FoundPost, { committedAt, durationMs }: UnprovenTarget): boolean {
  if (committedAt === null || post.publishedAt < committedAt - CLOCK_SLACK_MS) return false;
  return isSameDuration(post.durationMs, durationMs, 3 * DURATION_SLACK_MS);
}

function isSameDuration(a: number | null, b: number | null, slack = DURATION_SLACK_MS): boolean {
  if (a === null || b === null) return true;
  // Some platforms report whole seconds, rounded in either direction.
  const isWhole = a % SECOND === 0 || b % SECOND === 0;
  return Math.abs(a - b) <= (isWhole ? Math.max(slack, SECOND) : slack);
}

const hasText = (text: string) => comparableText(text) !== '';

/** Lists of some platforms cut texts. A beginning of this many letters and digits identifies a text. */
const MIN_BEGINNING = 80;

/** An empty text, or one without letters and digits, equals no other. */
function isSameText(a: string, b: string): boolean {
  const [short, long] = [comparableText(a), comparableText(b)].sort((x, y) => x.length - y.length) as [string, string];
  if (short === '') return false;
  return short === long || (short.length >= MIN_BEGINNING && long.startsWith(short));
}
