/** Deletes rows that are no longer needed, using the indexes named at each function. */
import type { Database, Queryable } from '../db/database.ts';
import { deleteRows } from '../db/delete-rows.ts';

/** Keys used more than a day ago, except those of running requests. Index: idempotency_age. */
export function sweepIdempotency(db: Queryable): Promise<number> {
  return deleteRows(
    db,
    'idempotency',
    `created_at < app_now() - interval '1 day' and (answer is not null or lease_until < app_now())`,
  );
}

/** Index: cancelled_at. */
export function sweepCancelled(db: Queryable): Promise<number> {
  return deleteRows(db, 'cancelled', `at < app_now() - interval '1 day'`);
}

/** Days for which decisions and found posts are listed. The ledger keeps what must be remembered: also which may be ours. */
const ACTIVITY_DAYS = 90;

/** Old decisions of rules, and found posts that no rule still waits for. Indexes: firing_decided, watched_post_age. */
export async function sweepActivity(db: Queryable): Promise<number> {
  const decided = await deleteRows(db, 'firing', `decided_at < app_now() - ${ACTIVITY_DAYS} * interval '1 day'`);
  const found = await deleteRows(
    db,
    'watched_post',
    `found_at < app_now() - ${ACTIVITY_DAYS} * interval '1 day' and state <> 'new'
       and not exists (select from firing f where f.watched_post_id = r.id)`,
  );
  return decided + found;
}

/** Minutes too old for any late post. Index: primary key. */
export function sweepAliveMinutes(db: Queryable): Promise<number> {
  return deleteRows(db, 'alive_minute', `minute < app_now() - interval '8 days'`);
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
  return deleteRows(db, 'consent', `expires_at < app_now() - interval '30 days'`);
}

/** Days for which notifications are listed. */
const NOTIFICATION_DAYS = 90;
const READ_NOTIFICATION_DAYS = 30;
/** The newest of each user that are kept. */
const MAX_NOTIFICATIONS = 500;

/**
 * Old notifications, those that were read a month ago, and the oldest of users with very many; also when users were
 * last mailed. Indexes: notification_age, the unique key of notification.
 */
export async function sweepNotifications(db: Queryable): Promise<number> {
  const old = await deleteRows(
    db,
    'notification',
    `at < app_now() - ${NOTIFICATION_DAYS} * interval '1 day'
       or (at < app_now() - ${READ_NOTIFICATION_DAYS} * interval '1 day'
         and read_at < app_now() - ${READ_NOTIFICATION_DAYS} * interval '1 day')`,
  );
  const many = await deleteRows(
    db,
    'notification',
    `id in (
       select id from (select id, row_number() over (partition by user_id order by at desc, id desc) as place
         from notification) n where place > ${MAX_NOTIFICATIONS})`,
  );
  await deleteRows(
    db,
    'notification_mail',
    `due_at is null and coalesce(sent_at, '-infinity') < app_now() - interval '1 hour'`,
  );
  return old + many;
}

/**
 * Registrations at servers where nobody has an account any more, a day after they were made. A consent in progress has a
 * copy of its own. The tokens of a disconnected account need theirs until they are revoked. Small tables.
 */
export function sweepServerApps(db: Queryable): Promise<number> {
  return db.execute(
    `delete from platform_app p where platform <> '' and service not like 'sandbox:%'
       and created_at < app_now() - interval '1 day'
       and not exists (select from access_grant g where g.platform = p.platform and g.service = p.service)
       and not exists (select from account a where a.platform = p.platform and a.service = p.service
         and a.status <> 'DISCONNECTED')`,
  );
}

/** Disconnected accounts of each user that are kept, the newest. They keep their id when they are connected again. */
const MAX_DISCONNECTED = 100;
/** Accounts per turn. The reference of targets to an identity has no index. */
const DISCONNECTED_AT_ONCE = 100;

/**
 * The oldest disconnected accounts of users with very many. The history shows the accounts of its posts, so those with
 * targets stay, and so do those with tokens that are not revoked yet. An identity stays while the ledger or a found post
 * refers to it. Indexes: target_account, rule_source, rule_destination_account, account_identity, placement_time,
 * watched_post_listing.
 */
export function sweepDisconnected(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    const gone = await tx.query<{ identityId: string }>(
      `delete from account a where status = 'DISCONNECTED' and grant_id is null and id in (
         select id from (select id, row_number() over (partition by user_id order by disconnected_at desc, id desc) as place
           from account where status = 'DISCONNECTED') d
         where place > ${MAX_DISCONNECTED} and not exists (select from target t where t.account_id = d.id)
           and not exists (select from rule r where r.from_account = d.id)
           and not exists (select from rule_destination e where e.account_id = d.id)
         limit ${DISCONNECTED_AT_ONCE})
       returning identity_id as "identityId"`,
    );
    await tx.execute(
      `delete from identity d where id = any($1::uuid[])
         and not exists (select from account a where a.identity_id = d.id)
         and not exists (select from placement p where p.identity_id = d.id)
         and not exists (select from watched_post w where w.identity_id = d.id)`,
      [gone.map(({ identityId }) => identityId)],
    );
    return gone.length;
  });
}
