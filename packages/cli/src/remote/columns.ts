/** How tables show times, captions and states. */
import type { PostResult } from '@reelay/sdk/node';

/** @param time ISO 8601, in UTC */
export const minutes = (time: string) => time.slice(0, 16).replace('T', ' ');

/** The first 40 characters. */
export const short = (caption: string) => [...caption].slice(0, 40).join('');

/** The status of an account, and whether it failed and will be tried again. */
export function stateOf({ status, trouble }: Pick<PostResult, 'status' | 'trouble'>): string {
  return status === 'PENDING' && trouble ? 'RETRYING' : status;
}
