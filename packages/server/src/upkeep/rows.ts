/** Rows that nobody will ask for again. Each is one statement, by the index named beside it. */
import type { Queryable } from '../db/database.ts';
import { finishOrphans } from '../reposts/firing-store.ts';

/** Keys that were used more than a day ago, but for requests that still run. Index: idempotency_age. */
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

/** Events that were dealt with, and before them those whose rule is gone. Indexes: event_open, event_done. */
export async function sweepEvents(db: Queryable): Promise<number> {
  await finishOrphans(db);
  return db.execute(`delete from event where done_at < app_now() - interval '7 days'`);
}

/** Minutes that no late post can ask for. Index: primary key. */
export function sweepAliveMinutes(db: Queryable): Promise<number> {
  return db.execute(`delete from alive_minute where minute < app_now() - interval '8 days'`);
}

/** Workers that gave their last sign of life long ago. A small table. */
export function sweepWorkers(db: Queryable): Promise<number> {
  return db.execute(`delete from worker where heartbeat_at < app_now() - interval '8 days'`);
}

/** Attempts to connect are shown for thirty days; what they had sealed goes when they expire. Index: consent_expiry. */
export async function sweepConsents(db: Queryable): Promise<number> {
  await db.execute('update consent set kept = null where expires_at < app_now() and kept is not null');
  return db.execute(`delete from consent where expires_at < app_now() - interval '30 days'`);
}
