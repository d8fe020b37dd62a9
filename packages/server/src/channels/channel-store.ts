/** SQL of channels: the devices and chats of users, and what each of them has not delivered yet. */
import type { Database, Queryable } from '../db/database.ts';
import type { Language } from '../messages/languages.ts';
import type { Message, MessageRef } from '../messages/message.ts';
import { storedMessage } from '../messages/stored.ts';
import { type Claim, type DueRows, dueRows } from '../queue/claim.ts';
import type { ChannelKind } from './kinds.ts';

/** How long a message waits for further facts, in ms: the accounts of one post fail within seconds. */
export const GATHER_MS = 10_000;
/** Minimum time between two messages to one channel, in ms. */
export const PAUSE_MS = 60_000;
/** A fact older than this, in hours, is no longer delivered. */
export const MAX_AGE_HOURS = 24;

export interface ChannelRow {
  id: string;
  user_id: string;
  kind: ChannelKind;
  host: string;
  sealed: Buffer;
}

/** Index: notification_channel_due. */
export const dueChannels: DueRows<ChannelRow> = dueRows<ChannelRow>('notification_channel', {
  user: 'user_id',
  service: 'service',
});

const AT_ONCE = 500;
const ms = (value: number) => `${value} * interval '1 millisecond'`;
const tooOld = (at: string) => `${at} < app_now() - ${MAX_AGE_HOURS} * interval '1 hour'`;

/** Whether any user has a channel. Index: primary key. */
export async function hasChannels(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ any: boolean }>('select exists (select from notification_channel) as any');
  return row?.any ?? false;
}

/**
 * Assigns new facts to the channels that their users had at that time. Processes do not wait for each other. The channels
 * are made due in the same statement, so that no fact is left behind by a crash. Indexes: notification_ungathered, unique
 * key of notification_channel, primary keys.
 */
export async function gatherDeliveries(db: Queryable): Promise<void> {
  await db.execute(
    `with taken as materialized (
       select id, user_id, at from notification where not gathered order by at limit ${AT_ONCE}
       for no key update skip locked),
     marked as (update notification n set gathered = true from taken where n.id = taken.id),
     added as (
       insert into notification_delivery (channel_id, notification_id)
         select c.id, t.id from taken t join notification_channel c on c.user_id = t.user_id
         where not c.is_stopped and t.at >= c.created_at and not ${tooOld('t.at')}
       on conflict do nothing returning channel_id)
     update notification_channel c
       set due_at = coalesce(c.due_at, greatest(app_now() + ${ms(GATHER_MS)}, c.sent_at + ${ms(PAUSE_MS)}))
     from (select distinct channel_id from added) a where c.id = a.channel_id`,
  );
}

/** Local times such as 22:00 in the user's zone; `to` may be on the next day. */
export interface DailyTimes {
  from: string;
  to: string;
}

export interface Reader {
  language: Language | null;
  /** IANA time zone. "UTC" until the user chooses one. */
  zone: string;
  suspended: boolean;
  quietHours: DailyTimes | null;
  /** The database's time. */
  now: Date;
}

/** Index: primary key. */
export async function findReader(db: Queryable, userId: string): Promise<Reader | null> {
  const [row] = await db.query<Reader>(
    `select language, zone, suspended, quiet_hours as "quietHours", app_now() as now from auth."user" where id = $1`,
    [userId],
  );
  return row ?? null;
}

/** Index: primary key. */
export async function readQuietHours(db: Queryable, userId: string): Promise<DailyTimes | null> {
  const [row] = await db.query<{ quietHours: DailyTimes | null }>(
    'select quiet_hours as "quietHours" from auth."user" where id = $1',
    [userId],
  );
  return row?.quietHours ?? null;
}

/**
 * Changes the quiet hours. What waits for the end of earlier ones is due again, and then waits for the new ones. Indexes:
 * primary key, unique key of notification_channel.
 */
export async function writeQuietHours(db: Queryable, userId: string, times: DailyTimes | null): Promise<void> {
  await db.execute(
    `with changed as (update auth."user" set quiet_hours = $2 where id = $1)
     update notification_channel set due_at = greatest(app_now(), sent_at + ${ms(PAUSE_MS)})
     where user_id = $1 and due_at > app_now() and attempts = 0`,
    [userId, times && JSON.stringify(times)],
  );
}

export interface WaitingFact {
  id: string;
  kind: string;
  isRead: boolean;
  /** Too old to be delivered. */
  isOld: boolean;
}

/** What a channel has not delivered yet. Indexes: primary keys. */
export function waitingFacts(db: Queryable, channelId: string): Promise<WaitingFact[]> {
  return db.query<WaitingFact>(
    `select n.id, n.kind, n.read_at is not null as "isRead", ${tooOld('n.at')} as "isOld"
     from notification_delivery d join notification n on n.id = d.notification_id where d.channel_id = $1`,
    [channelId],
  );
}

/**
 * Records a message, and when the next one is due if facts arrived meanwhile. The row is locked first: a fact that is
 * gathered at the same time is either seen by the last statement, or sets the due time itself. Indexes: primary keys.
 * @param done.facts those that were delivered or need not be @param done.sent whether there was a message
 * @returns false when another process has the claim; the facts are removed in both cases
 */
export function finishDelivery(
  db: Database,
  { key, fence }: Pick<Claim, 'key' | 'fence'>,
  { facts, sent }: { facts: readonly string[]; sent: boolean },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.query('select from notification_channel where id = $1 for no key update', [key]);
    await tx.execute('delete from notification_delivery where channel_id = $1 and notification_id = any($2::uuid[])', [
      key,
      facts,
    ]);
    const released = await tx.execute(
      `update notification_channel c set lease_until = null, attempts = 0,
         sent_at = case when $3 then app_now() else c.sent_at end,
         failure = case when $3 then null else c.failure end, failed_at = case when $3 then null else c.failed_at end,
         due_at = case when exists (select from notification_delivery where channel_id = $1)
           then greatest(app_now(), case when $3 then app_now() else c.sent_at end + ${ms(PAUSE_MS)}) end
       where id = $1 and fence = $2 and lease_until is not null`,
      [key, fence, sent],
    );
    return released > 0;
  });
}

/** Records a failed delivery, which is due again after `afterMs`. Index: primary key. */
export async function postponeDelivery(
  db: Queryable,
  { key, fence }: Pick<Claim, 'key' | 'fence'>,
  { failure, afterMs }: { failure: Message; afterMs: number },
): Promise<void> {
  await db.execute(
    `update notification_channel set lease_until = null, due_at = app_now() + $3::float8 * interval '1 ms',
       failure = $4, failed_at = app_now()
     where id = $1 and fence = $2 and lease_until is not null`,
    [key, fence, afterMs, JSON.stringify(storedMessage(failure))],
  );
}

/**
 * Stops a channel whose address is refused: what waits for it is dropped. Indexes: primary keys.
 * @param claim.fence null: also without a claim
 */
export function stopChannel(
  db: Database,
  { key, fence }: { key: string; fence: number | null },
  failure: Message,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const stopped = await tx.execute(
      `update notification_channel set is_stopped = true, failure = $3, failed_at = app_now(), due_at = null,
         lease_until = null, attempts = 0
       where id = $1 and ($2::bigint is null or fence = $2 and lease_until is not null)`,
      [key, fence, JSON.stringify(storedMessage(failure))],
    );
    if (stopped > 0) await tx.execute('delete from notification_delivery where channel_id = $1', [key]);
    return stopped > 0;
  });
}

/** A channel as its user sees it. */
export interface OwnChannel {
  id: string;
  kind: ChannelKind;
  name: string;
  host: string;
  /** Hash of a browser's address; null for other kinds. */
  device: string | null;
  createdAt: Date;
  sentAt: Date | null;
  failure: MessageRef | null;
  failedAt: Date | null;
  isStopped: boolean;
}

const OWN = `id, kind, name, host, device, created_at as "createdAt", sent_at as "sentAt", failure, failed_at as "failedAt",
  is_stopped as "isStopped"`;

/** Oldest first. Index: unique key of notification_channel. */
export function listChannels(db: Queryable, userId: string): Promise<OwnChannel[]> {
  return db.query<OwnChannel>(`select ${OWN} from notification_channel where user_id = $1 order by id`, [userId]);
}

export interface NewChannel {
  id: string;
  userId: string;
  kind: ChannelKind;
  name: string;
  host: string;
  service: string;
  device: string | null;
  sealed: Buffer;
}

/**
 * Adds a channel. The same browser again replaces its earlier keys. Call it while the user's row is locked. Index: unique
 * key of notification_channel.
 * @returns undefined if the user has `limit` channels already
 */
export async function insertChannel(
  tx: Queryable,
  channel: NewChannel,
  limit: number,
): Promise<OwnChannel | undefined> {
  const { id, userId, kind, name, host, service, device, sealed } = channel;
  const [row] = await tx.query<OwnChannel>(
    `insert into notification_channel (id, user_id, kind, name, host, service, device, sealed)
       select $1, $2, $3, $4, $5, $6, $7, $8
       where (select count(*) from notification_channel where user_id = $2) < $9
     returning ${OWN}`,
    [id, userId, kind, name, host, service, device, sealed, limit],
  );
  return row;
}

/** Removes the channels of these browsers. Index: unique key of notification_channel. @returns their names */
export function deleteDevices(
  tx: Queryable,
  userId: string,
  devices: readonly string[],
): Promise<{ device: string; name: string }[]> {
  return tx.query(
    'delete from notification_channel where user_id = $1 and device = any($2::text[]) returning device, name',
    [userId, devices],
  );
}

/** @returns whether the user had it. Index: primary key. */
export async function deleteChannel(db: Queryable, userId: string, id: string): Promise<boolean> {
  return (await db.execute('delete from notification_channel where id = $1 and user_id = $2', [id, userId])) > 0;
}

/** Index: primary key. */
export async function findChannel(
  db: Queryable,
  userId: string,
  id: string,
): Promise<(OwnChannel & { sealed: Buffer }) | undefined> {
  const [row] = await db.query<OwnChannel & { sealed: Buffer }>(
    `select ${OWN}, sealed from notification_channel where id = $1 and user_id = $2`,
    [id, userId],
  );
  return row;
}

/** Records a test that was delivered: a stopped channel works again. Index: primary key. */
export async function recordTest(db: Queryable, id: string): Promise<void> {
  await db.execute(
    'update notification_channel set is_stopped = false, failure = null, failed_at = null, sent_at = app_now() where id = $1',
    [id],
  );
}

/** Records a test that failed for now. Index: primary key. */
export async function recordFailure(db: Queryable, id: string, failure: Message): Promise<void> {
  await db.execute('update notification_channel set failure = $2, failed_at = app_now() where id = $1', [
    id,
    JSON.stringify(storedMessage(failure)),
  ]);
}
