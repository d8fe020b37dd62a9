/** Deletes rows that are no longer needed, using the indexes named at each function. */
import type { Queryable } from '../db/database.ts';
import { finishOrphans } from '../reposts/firing-store.ts';

/** Keys used more than a day ago, except those of running requests. Index: idempotency_age. */
export function sweepIdempotency(db: Queryable): Promise<number> {
  return db.execute(
    `delete from idempotency where created_at < app_now() - interval '1 day'
       and (answer is not null or lease_until < app_now())`,
  );
}

/** Index: cancelled_at. */
export function sweepCancelled(db: Queryable): Promise<number> {
  return db.execute(`delete from cancelled where at < app_now() - interval '1 day'`);
}

/** Finished events; first finishes those of deleted rules. Indexes: event_open, event_done. */
export async function sweepEvents(db: Queryable): Promise<number> {
  await finishOrphans(db);
  return db.execute(`delete from event where done_at < app_now() - interval '7 days'`);
}

/** Minutes too old for any late post. Index: primary key. */
export function sweepAliveMinutes(db: Queryable): Promise<number> {
  return db.execute(`delete from alive_minute where minute < app_now() - interval '8 days'`);
}

/** Workers whose last heartbeat is more than 8 days old. A small table. */
export function sweepWorkers(db: Queryable): Promise<number> {
  return db.execute(`delete from worker where heartbeat_at < app_now() - interval '8 days'`);
}

/**
 * Connection attempts are listed for thirty days; their sealed data is deleted when they expire. Index: consent_expiry.
 */
export async function sweepConsents(db: Queryable): Promise<number> {
  await db.execute('update consent set kept = null where expires_at < app_now() and kept is not null');
  return db.execute(`delete from consent where expires_at < app_now() - interval '30 days'`);
}
