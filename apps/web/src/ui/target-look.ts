/** The display state of a target. Pure. */
import type { PostResult } from '@reelay/sdk';

/** The display state of a target, or of all targets of a post. */
export type TargetLook = PostResult['status'] | 'SCHEDULED' | 'RETRYING' | 'UNKNOWN' | 'PARTLY';

/** Derives the display state. A failed target with an unknown outcome may be published. */
export function lookOf(
  { status, message, trouble }: Pick<PostResult, 'status' | 'message' | 'trouble'>,
  isScheduled: boolean,
): TargetLook {
  if (status === 'PENDING' && isScheduled) return 'SCHEDULED';
  if (status === 'PENDING' && trouble) return 'RETRYING';
  return message === 'outcome_unknown' ? 'UNKNOWN' : status;
}
