/**
 * Time limits for promises that may never settle. A connection whose other end vanished answers nothing, and whoever awaits
 * such an answer without a limit waits until the process ends.
 */
import { ReelayError } from '../errors.ts';
import { withTimeout } from '../timeout.ts';

/**
 * Settles like `work`, or rejects after `ms`. The work itself goes on; what it comes to later is ignored.
 * @throws ReelayError `database_unavailable` at the limit
 */
export function settleWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  return withTimeout(ms, work, () => {
    const cause = new Error(`No response within ${ms} ms.`);
    throw new ReelayError('database_unavailable', undefined, { cause });
  });
}
