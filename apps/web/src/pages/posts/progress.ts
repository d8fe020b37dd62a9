/** Derives the progress of a target from its timeline. Pure. */
import type { Post } from '@reelay/sdk';

export type Target = Post['targets'][number];
export type TimelineLine = Target['timeline'][number];

export type Stage =
  | 'scheduled'
  | 'queued'
  | 'converting'
  | 'uploading'
  | 'processing'
  | 'publishing'
  | 'finishing'
  | 'verifying'
  | 'waiting'
  | 'working';

export interface TargetProgress {
  stage: Stage;
  /** 0 to 100; null if unknown. */
  percent: number | null;
}

const STAGES_BY_CODE: Readonly<Record<string, Stage>> = {
  queued: 'queued',
  queued_by_rule: 'queued',
  retry_requested: 'queued',
  try_requested: 'queued',
  retry_scheduled: 'queued',
  retry_requested_verify: 'verifying',
  upload_opened: 'uploading',
  upload_opened_in_parts: 'uploading',
  upload_continued: 'uploading',
  bytes_sent: 'uploading',
  part_sent: 'uploading',
  file_converting: 'converting',
  file_progress: 'converting',
  upload_complete: 'processing',
  upload_processing: 'processing',
  processing: 'processing',
  processed: 'processing',
  fetching: 'processing',
  publishing: 'publishing',
  publishing_with_last_part: 'publishing',
  published_processing: 'finishing',
  published_unlisted: 'finishing',
  published_in_review: 'finishing',
};

const STAGES_BY_EVENT: Readonly<Record<string, Stage>> = {
  committing: 'publishing',
  confirming: 'finishing',
  unknown: 'verifying',
  look: 'verifying',
  waiting: 'waiting',
  processing: 'processing',
  retry: 'waiting',
  rate_limited: 'waiting',
  crash: 'waiting',
  late: 'waiting',
  rendition: 'converting',
};

/** The stage that a line of the timeline leads to. */
export function stageAfter({ event, message }: TimelineLine): Stage {
  return STAGES_BY_CODE[message?.code ?? ''] ?? STAGES_BY_EVENT[event] ?? 'working';
}

/** Whether a target is worked on now. */
export function isRunning(stage: Stage): boolean {
  return stage !== 'scheduled' && stage !== 'queued' && stage !== 'waiting';
}

/** The progress of a pending target; null if the target is final. */
export function progressOf(target: Target, isScheduled: boolean): TargetProgress | null {
  if (target.status !== 'PENDING') return null;
  if (target.rendition) return { stage: 'converting', percent: Math.round(target.rendition.progress * 100) };
  const last = target.timeline.at(-1);
  if (isScheduled) return { stage: 'scheduled', percent: null };
  if (!last) return { stage: 'queued', percent: null };
  const stage = stageAfter(last);
  // The upload follows a finished conversion.
  if (stage === 'converting') return { stage: 'working', percent: null };
  return { stage, percent: stage === 'uploading' ? percentIn(last) : null };
}

function percentIn({ message }: TimelineLine): number | null {
  const { sentBytes, totalBytes, part, parts } = message?.params ?? {};
  return shareOf(sentBytes, totalBytes) ?? shareOf(part, parts);
}

function shareOf(done: unknown, total: unknown): number | null {
  if (typeof done !== 'number' || typeof total !== 'number' || total <= 0) return null;
  return Math.min(100, Math.max(0, Math.round((done / total) * 100)));
}

/** Consecutive lines of the same kind, oldest first. The last one represents all. */
export function groupLines(timeline: readonly TimelineLine[]): TimelineLine[][] {
  const groups: TimelineLine[][] = [];
  for (const line of timeline) {
    const previous = groups.at(-1)?.at(-1);
    if (previous && isSame(previous, line)) groups.at(-1)?.push(line);
    else groups.push([line]);
  }
  return groups;
}

function isSame(one: TimelineLine, other: TimelineLine): boolean {
  const stage = stageAfter(one);
  if (stage !== stageAfter(other)) return false;
  return stage === 'uploading' || (one.event === other.event && one.message?.code === other.message?.code);
}
