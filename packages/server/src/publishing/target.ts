import type { JsonObject } from '../connectors/contract.ts';

/**
 * Where a target stands. `scheduled`: not begun; `working` and `waiting`: before the irreversible call; `committing`:
 * that call may be under way; `unknown`: it may have done its work and we have no proof; `confirming`: the platform has
 * it and is not done. Being due is a time, not a state.
 */
export type TargetState =
  | 'scheduled'
  | 'working'
  | 'waiting'
  | 'committing'
  | 'confirming'
  | 'unknown'
  | 'posted'
  | 'failed';

/** One post on one account, as the row has it. Times are ms since the epoch by the database's clock. */
export interface Target {
  readonly id: string;
  readonly identityId: string;
  readonly accountId: string;
  /** Grows with every write. */
  readonly version: number;
  readonly state: TargetState;
  /** When it is looked at next; null once final. */
  readonly dueAt: number | null;
  /** What the deadline counts from. */
  readonly countsFrom: number;
  readonly deadlineAt: number | null;
  readonly begunAt: number | null;
  readonly checkpoint: JsonObject | null;
  /** The file made of the video that goes out instead of it; null: the video itself. */
  readonly renditionId: string | null;
  /** Failures since the last progress. */
  readonly attempts: number;
  /** Crashes with this target in hand since the last committed checkpoint. */
  readonly crashes: number;
  /** Number of the latest send. */
  readonly commitNumber: number;
  readonly keyNumber: number;
  readonly committedAt: number | null;
  readonly commitUntil: number | null;
  /** Some send ended without proof: from then on only a look counts. */
  readonly unproven: boolean;
  readonly looks: number;
  readonly unknownSince: number | null;
  readonly notPostedSince: number | null;
  readonly confirmingSince: number | null;
  readonly completeSince: number | null;
  readonly acceptDuplicate: boolean;
  readonly code: TargetCode | null;
  readonly detail: string | null;
  readonly platformCode: string | null;
  readonly remoteId: string | null;
  readonly url: string | null;
  readonly publishedAt: number | null;
}

/** Codes in `message` of a FAILED target. */
export type TargetCode =
  | 'reconnect_required'
  | 'permission_missing'
  | 'setup_needed'
  | 'video_rejected'
  | 'caption_rejected'
  | 'policy_rejected'
  | 'duplicate_rejected'
  | 'platform_limit_reached'
  | 'platform_unavailable'
  | 'platform_error'
  | 'outcome_unknown'
  | 'plan_limit_reached'
  | 'late_skipped'
  | 'internal_error';

/** One line of what the user sees when opening a target. Never a secret in it. */
export interface TimelineEntry {
  event: string;
  text: string;
  platformCode?: string | null;
}

/** A decision: the target as it shall be written, and what to tell of it. */
export interface Transition {
  target: Target;
  entries: TimelineEntry[];
}

/** Whether nothing more will happen by itself. */
export function isFinal(target: Pick<Target, 'state'>): boolean {
  return target.state === 'posted' || target.state === 'failed';
}

/** The status in the interface. */
export function publicStatus(state: TargetState): 'PENDING' | 'SUCCESS' | 'FAILED' {
  if (state === 'posted') return 'SUCCESS';
  return state === 'failed' ? 'FAILED' : 'PENDING';
}
