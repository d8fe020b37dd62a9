/** Timeouts for promises that may never settle, such as a query on a connection whose peer disappeared. */
import { withTimeout } from '../lib/timeout.ts';
import { ReelayError } from './reelay-error.ts';

/**
 * Settles like `work`, or rejects after `ms`. The work continues and its later result is ignored.
 * @throws ReelayError `database_unavailable` at the limit
 */
export function settleWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  return withTimeout(ms, work, () => {
    const cause = new Error(`No response within ${ms} ms.`);
    throw new ReelayError('database_unavailable', undefined, { cause });
  });
}
