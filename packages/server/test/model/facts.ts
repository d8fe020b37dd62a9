/** Input of the reference model: what users did with rules, and what really is on platforms. */
import type { StoredOptions } from '../../src/reposts/options/rule-options.ts';
import type { Place, User } from './history.ts';

/** Times are in ms since the epoch. */
export interface ModelRule {
  user: User;
  from: Place;
  to: readonly Place[];
  /** Destinations that it had, if its user disconnected some of them. */
  formerTo?: readonly Place[];
  addedAt: number;
  deletedAt: number | null;
  perDay: number | null;
  /** Half-open: a rule does not act at the moment of its pause. */
  active: { from: number; to: number | null }[];
  /** Absent: the default options, but for `perDay`. */
  options?: StoredOptions;
  /** Older posts that its user selected, as often as that happened. */
  selections?: Selection[];
  /** Whether its user had no access to the source for a time. */
  wasBlind?: boolean;
}

export interface Selection {
  at: number;
  order: 'oldest' | 'newest';
  perDay: number;
  contents: readonly number[];
}

/** One post that is on a platform, or was. */
export interface Appearance {
  /** What it shows. Posts that show the same content have the same number. */
  content: number;
  on: Place;
  by: User | 'phone';
  /** Whether a rule made it. */
  isRepost: boolean;
  /** The current one and, if it was edited, those before. */
  texts: readonly string[];
  /** Whether everybody could see it, at some time. */
  isPublic: boolean;
  /** Whether that changed. */
  isMixed?: boolean;
  /** Length of the video, in ms; absent if all have the same. */
  lengthMs?: number;
  /** The moment as the platform tells it lies in these bounds, both inclusive. */
  at: { min: number; max: number };
  /** When lists show it. */
  visibleAt: number;
  removedAt: number | null;
  /** Whether it was removed for a time and returned. */
  wasAway?: boolean;
  /** When the second complete check in a row missed it, after one had listed it. */
  missedAt?: number | null;
  /** When we knew that it is ours; null for others, and if we never knew. */
  knownAt: number | null;
  /** Of a repost: the rule, and when its entry was made. */
  made?: { rule: number; at: number };
}

/** One line of a rule's activity. */
export interface Line {
  rule: number;
  content: number;
  state: 'waiting' | 'reposted' | 'skipped';
  reason: string | null;
  decidedAt: number | null;
}

export interface Facts {
  rules: readonly ModelRule[];
  appearances: readonly Appearance[];
  /**
   * Targets that failed. `mayBeThere`: a send ended without a proof of what it did. `rule`: which one made it; -1: none;
   * absent: unknown.
   */
  failures: readonly { content: number; on: Place; mayBeThere: boolean; rule?: number }[];
  /** Queued reposts that were deleted with their rule before they began. */
  withdrawn: readonly { content: number; on: Place }[];
  /** Reposts that their users removed from the history. */
  removed?: readonly { content: number; rule: number }[];
  lines: readonly Line[];
  /** What the list of each place says, by place. `newest`: how many posts it shows at once; 0: it tells only what is new. */
  lists?: readonly { newest: number; lengths: 'exact' | 'seconds' | 'none' }[];
  /** When the clock jumped over the retention, and the activity before that. */
  jump?: { at: number; lines: readonly Line[] } | null;
  /** Times in which nobody knew whether a send had an effect. */
  sends?: readonly { target: number; on: Place; text: string; from: number; to: number | null }[];
  /** Found posts that were left undecided, because an earlier post may be theirs. */
  pending?: readonly { on: Place; texts: readonly string[]; at: number }[];
}
