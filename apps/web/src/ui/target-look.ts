/** The display state of a target. Pure. */
import type { PostResult } from '@reelay/sdk';

/** The display state of a target, or of all targets of a post. */
export type TargetLook = PostResult['status'] | 'SCHEDULED' | 'UNKNOWN' | 'PARTLY';

/** Derives the display state. A failed target with an unknown outcome may be published. */
export function lookOf({ status, message }: Pick<PostResult, 'status' | 'message'>, isScheduled: boolean): TargetLook {
  if (status === 'PENDING' && isScheduled) return 'SCHEDULED';
  return message === 'outcome_unknown' ? 'UNKNOWN' : status;
}
