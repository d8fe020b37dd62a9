/**
 * `Idempotency-Key`: a record marks a running request (a lease, renewed while it runs) or stores its response. It is
 * completed in the transaction that writes the post. So a crash leaves either both or a lease that expires, and a
 * request that lost its lease completes nothing.
 */
import type { Queryable, Transaction } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { uuidv7 } from '../lib/ids.ts';
import { claim, complete, type Finished, findRecord, release, renew } from './idempotency-store.ts';
import type { CreatedPost } from './types.ts';

/** Lease duration and renewal interval, in ms. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 4_000;
const MAX_KEY = 255;

/** A key that is ours until `end`. */
export interface Lease {
  key: string;
  /**
   * Call in the transaction that writes the post.
   * @throws ReelayError `idempotency_in_progress` when the lease was lost
   */
  complete(tx: Transaction, content: Buffer, response: CreatedPost): Promise<void>;
  /** Stops renewing; releases a key without a response. Never throws. */
  end(): Promise<void>;
}

/** Calls `tick` every `ms` milliseconds until the returned function is called. */
export type Every = (ms: number, tick: () => void) => () => void;

/** @throws ReelayError `invalid_request` for a key that is empty or too long */
export function readKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header.length > 0 && header.length <= MAX_KEY) return header;
  throw apiError('idempotency_key_length', { limit: MAX_KEY });
}

/** Takes the key, or finds the recorded response. @throws ReelayError `idempotency_in_progress` */
export async function openKey(
  db: Queryable,
  userId: string,
  key: string,
  every: Every,
): Promise<{ lease: Lease } | { finished: Finished }> {
  const owner = uuidv7();
  for (;;) {
    if (await claim(db, { userId, key, owner }, LEASE_MS)) return { lease: leaseOf(db, { userId, key, owner }, every) };
    const found = await findRecord(db, userId, key);
    // The key was released between the two statements; retry.
    if (!found) continue;
    if (!found.answer || !found.content) throw new ReelayError('idempotency_in_progress');
    return { finished: { content: found.content, answer: found.answer } };
  }
}

function leaseOf(db: Queryable, record: { userId: string; key: string; owner: string }, every: Every): Lease {
  const stop = every(RENEW_EVERY_MS, () => void renew(db, record, LEASE_MS).catch(() => {}));
  let completed = false;
  return {
    key: record.key,
    async complete(tx, content, response) {
      if (!(await complete(tx, record, content, response))) throw new ReelayError('idempotency_in_progress');
      tx.afterCommit(() => {
        completed = true;
      });
    },
    async end() {
      stop();
      if (completed) return;
      // If this fails, the lease expires.
      await release(db, record).catch(() => {});
    },
  };
}

/**
 * Returns the first response in its original property order, because jsonb keeps no order.
 * @throws ReelayError `idempotency_key_reused` when the content differs
 */
export function replay({ content, answer }: Finished, sent: Buffer): CreatedPost {
  if (!content.equals(sent)) throw new ReelayError('idempotency_key_reused');
  const { historyId, scheduled, date, result } = answer;
  return { historyId, scheduled, date, result: result.map(({ platformId, status }) => ({ platformId, status })) };
}
