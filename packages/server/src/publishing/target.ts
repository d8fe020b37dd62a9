/** Targets: their columns, states and codes. */
import type { JsonObject } from '../connectors/contract.ts';
import type { Message, MessageRef } from '../messages/message.ts';
import type { FailureCause } from '../outbound/platform-error.ts';
import { column, type FieldsOf, optionalTime, time } from './columns.ts';

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

/** Why a target has to be tried again. */
export interface Trouble {
  /** What it fails with if this does not end. */
  readonly code: TargetCode;
  readonly reason: MessageRef;
  readonly platformCode: string | null;
  /** The first failure since the last progress, in ms since the epoch. */
  readonly since: number;
  /** Failures since the last progress. */
  readonly attempts: number;
  /** When the next try was last moved forward, by a user or because the platform answers others: ms since the epoch. */
  readonly movedAt?: number;
  /** Of the latest failure. Absent: others of the platform say nothing about it. */
  readonly cause?: FailureCause;
}

/** Not set by the lane's holder. `version` is incremented by every write, and `stopRequested` is set by the user. */
const IDENTITY_COLUMNS = {
  id: column<string>('id'),
  identityId: column<string>('identity_id'),
  accountId: column<string>('account_id'),
  version: column<number>('version'),
  stopRequested: column<boolean>('stop_requested'),
};

/** Columns that every write of the lane's holder sets. Times are the database's. */
export const STATE_COLUMNS = {
  state: column<TargetState>('state'),
  /** Next time a worker runs it; null once final. */
  dueAt: optionalTime('due_at'),
  /** Start of the deadline period. */
  countsFrom: time('counts_from'),
  deadlineAt: optionalTime('deadline_at'),
  begunAt: optionalTime('begun_at'),
  /** Encrypted: see checkpoint.ts. */
  checkpoint: column<Buffer | null>('checkpoint'),
  /** The rendition sent instead of the original; null: the original. */
  renditionId: column<string | null>('rendition_id'),
  /** Failures since the last progress. */
  attempts: column<number>('attempts'),
  /** Crashes while this target was in progress, since the last committed checkpoint. */
  crashes: column<number>('crashes'),
  /** Number of the latest send. */
  sends: column<number>('commit_number'),
  /** Number of the idempotency key, from 1. It increases after each send that had no effect or whose post failed. */
  sendKey: column<number>('key_number'),
  committedAt: optionalTime('committed_at'),
  commitUntil: optionalTime('commit_until'),
  /** Whether everybody can see what the latest send posts; null before the first. Rules repost nothing else. */
  isPublic: column<boolean | null>('is_public'),
  /** A send ended without proof. From then on only verification counts. */
  unproven: column<boolean>('unproven'),
  verifications: column<number>('looks'),
  unknownSince: optionalTime('unknown_since'),
  notPostedSince: optionalTime('not_posted_since'),
  confirmingSince: optionalTime('confirming_since'),
  completeSince: optionalTime('complete_since'),
  acceptDuplicate: column<boolean>('accept_duplicate'),
  code: column<TargetCode | null>('code'),
  detail: column<string | null>('detail'),
  platformCode: column<string | null>('platform_code'),
  remoteId: column<string | null>('remote_id'),
  url: column<string | null>('url'),
  publishedAt: optionalTime('published_at'),
  /** null: all went well since the last progress, or the target is final. */
  trouble: column<Trouble | null>('trouble'),
};

/** The columns of a target that the publisher reads. The only list of its fields. */
export const TARGET_COLUMNS = { ...IDENTITY_COLUMNS, ...STATE_COLUMNS };

/** One post on one account. Times are ms since the epoch by the database's clock. */
export type Target = Omit<FieldsOf<typeof TARGET_COLUMNS>, 'checkpoint'> & { readonly checkpoint: JsonObject | null };

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
  | 'stopped'
  | 'internal_error';

/** One line of a target's timeline, shown to the user. Must not contain secrets. */
export interface TimelineEntry {
  event: string;
  message: Message;
  platformCode?: string | null;
}

/** A decision: the next target and its timeline lines. */
export interface Transition {
  target: Target;
  entries: TimelineEntry[];
  /** The target fails although its post was published: its account had the content. */
  wasPublished?: boolean;
}

/** Returns whether the state is final. */
export function isFinal(target: Pick<Target, 'state'>): boolean {
  return target.state === 'posted' || target.state === 'failed';
}

/** Time from which a post on the account may be ours. Without a recorded send, that is the start of the work. */
export function earliestPost({ committedAt, begunAt, countsFrom }: Target): number {
  return committedAt ?? begunAt ?? countsFrom;
}

/** A target's status in the API. */
export type PostStatus = 'PENDING' | 'SUCCESS' | 'FAILED';

/** The status in the API. */
export function publicStatus(state: TargetState): PostStatus {
  if (state === 'posted') return 'SUCCESS';
  return state === 'failed' ? 'FAILED' : 'PENDING';
}
