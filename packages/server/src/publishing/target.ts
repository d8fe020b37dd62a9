import type { JsonObject } from '../connectors/contract.ts';

/**
 * State of a target. `scheduled`: not started. `working`, `waiting`: before the irreversible call. `committing`: that
 * call may be in progress. `unknown`: it may have succeeded, without proof. `confirming`: the platform accepted the
 * post and is not done. Being due is a time, not a state.
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

/** One post on one account, as stored. Times are ms since the epoch by the database's clock. */
export interface Target {
  readonly id: string;
  readonly identityId: string;
  readonly accountId: string;
  /** Incremented by every write. */
  readonly version: number;
  readonly state: TargetState;
  /** Next time a worker runs it; null once final. */
  readonly dueAt: number | null;
  /** Start of the deadline period. */
  readonly countsFrom: number;
  readonly deadlineAt: number | null;
  readonly begunAt: number | null;
  readonly checkpoint: JsonObject | null;
  /** The rendition sent instead of the original; null: the original. */
  readonly renditionId: string | null;
  /** Failures since the last progress. */
  readonly attempts: number;
  /** Crashes while this target was in progress, since the last committed checkpoint. */
  readonly crashes: number;
  /** Number of the latest send. */
  readonly commitNumber: number;
  /** Number of the idempotency key, from 1. It increases after each send that had no effect or whose post failed. */
  readonly sendKey: number;
  readonly committedAt: number | null;
  readonly commitUntil: number | null;
  /** A send ended without proof. From then on only verification counts. */
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

/** One line of a target's timeline, shown to the user. Must not contain secrets. */
export interface TimelineEntry {
  event: string;
  text: string;
  platformCode?: string | null;
}

/** A decision: the next target and its timeline lines. */
export interface Transition {
  target: Target;
  entries: TimelineEntry[];
}

/** Returns whether the state is final. */
export function isFinal(target: Pick<Target, 'state'>): boolean {
  return target.state === 'posted' || target.state === 'failed';
}

/** Time from which a post on the account may be ours. Without a recorded send, that is the start of the work. */
export function earliestPost({ committedAt, begunAt, countsFrom }: Target): number {
  return committedAt ?? begunAt ?? countsFrom;
}

/** The status in the API. */
export function publicStatus(state: TargetState): 'PENDING' | 'SUCCESS' | 'FAILED' {
  if (state === 'posted') return 'SUCCESS';
  return state === 'failed' ? 'FAILED' : 'PENDING';
}
