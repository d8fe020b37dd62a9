/** How a target is shown. Pure. */
import type { PostResult } from '@reelay/sdk';

/** How a target is shown, or all targets of a post. */
export type TargetLook = PostResult['status'] | 'SCHEDULED' | 'UNKNOWN' | 'PARTLY';

/** How a target is shown. A failed target may be published, if its outcome is unknown. */
export function lookOf({ status, message }: Pick<PostResult, 'status' | 'message'>, isScheduled: boolean): TargetLook {
  if (status === 'PENDING' && isScheduled) return 'SCHEDULED';
  return message === 'outcome_unknown' ? 'UNKNOWN' : status;
}
