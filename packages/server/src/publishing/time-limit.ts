/**
 * Time limits for promises that may never settle. A connection whose other end vanished answers nothing, and whoever awaits
 * such an answer without a limit waits until the process ends.
 */
import type { Database } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { withTimeout } from '../timeout.ts';

/** Longer than any statement of the publisher takes on a healthy database, in ms. */
export const STATEMENT_LIMIT_MS = 15_000;

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

/**
 * The same database, with a limit on each statement and on each transaction as a whole. A statement may still be executed
 * after its limit: everything that the publisher writes is conditional on a fence, a version or a state.
 */
export function limitStatements(db: Database, limitMs: number): Database {
  return {
    ...db,
    query: (text, values) => settleWithin(limitMs, db.query(text, values)),
    execute: (text, values) => settleWithin(limitMs, db.execute(text, values)),
    transaction: (work) => settleWithin(limitMs, db.transaction(work)),
  };
}
