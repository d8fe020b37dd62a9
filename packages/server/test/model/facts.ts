/** What the reference model is told: what users did with rules, and what really is on platforms. */
import type { Place, User } from './history.ts';

/** Times are in ms since the epoch. */
export interface ModelRule {
  user: User;
  from: Place;
  to: readonly Place[];
  addedAt: number;
  deletedAt: number | null;
  perDay: number | null;
  /** Half-open: a rule does not act at the moment of its pause. */
  active: { from: number; to: number | null }[];
}

/** One post as it is on a platform, or was. */
export interface Appearance {
  /** What it shows. Posts that show the same content have the same number. */
  content: number;
  on: Place;
  by: User | 'phone';
  /** Whether a rule made it. */
  isRepost: boolean;
  /** The current one and, if it was edited, those before. */
  texts: readonly string[];
  isPublic: boolean;
  /** The moment as the platform tells it lies in these bounds, both inclusive. */
  at: { min: number; max: number };
  /** When lists show it. */
  visibleAt: number;
  removedAt: number | null;
  /** When we knew that it is ours; null for others, and if we never knew. */
  knownAt: number | null;
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
  /** Targets that failed. `mayBeThere`: a send ended without a proof of what it did. */
  failures: readonly { content: number; on: Place; mayBeThere: boolean }[];
  /** Queued reposts that were deleted with their rule before they began. */
  withdrawn: readonly { content: number; on: Place }[];
  lines: readonly Line[];
}
