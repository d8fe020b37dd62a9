/** SQL of subscriptions: which platforms send us notifications. */
import type { CallbackMode } from '../../connectors/contract.ts';
import type { Queryable } from '../../db/database.ts';
import { type Claim, type DueRows, dueRows } from '../../queue/claim.ts';

export interface SubscriptionRow {
  id: string;
  watch_id: string;
  expires_at: Date | null;
}

/** Index: push_subscription_due. */
export const dueSubscriptions: DueRows<SubscriptionRow> = dueRows<SubscriptionRow>('push_subscription', { user: null });

/** SQL: whether the watch `w` is in progress for an account of the platform itself. */
const LIVE = `(w.due_at is not null or w.lease_until is not null) and exists (
  select from identity d join account a on a.identity_id = d.id
  where d.watch_id = w.id and a.status = 'CONNECTED' and not a.sandbox)`;

/** Adds the missing subscriptions of watches in progress, and makes those of others due, to end them. */
export async function syncSubscriptions(db: Queryable, platforms: readonly string[]): Promise<void> {
  await db.execute(
    `insert into push_subscription (watch_id) select w.id from watch w
     where w.platform = any($1) and ${LIVE} on conflict do nothing`,
    [platforms],
  );
  await db.execute(
    `update push_subscription s set due_at = app_now(), attempts = 0 from watch w
     where w.id = s.watch_id and s.requested is distinct from 'unsubscribe' and s.due_at > app_now() and not (${LIVE})`,
  );
}

export interface Subscription {
  platform: string;
  /** The account's remote id. */
  remoteId: string;
  identityIds: string[];
  /** Whether notifications are wanted. */
  isLive: boolean;
  /** What was requested within the last day and not verified yet. */
  requested: CallbackMode | null;
}

/** Reads a subscription. Index: primary keys. */
export async function readSubscription(db: Queryable, id: string): Promise<Subscription | undefined> {
  const [row] = await db.query<Subscription>(
    `select w.platform, w.key as "remoteId", ${LIVE} as "isLive",
       case when s.requested_at > app_now() - interval '1 day' then s.requested end as requested,
       array(select d.id from identity d where d.watch_id = w.id) as "identityIds"
     from push_subscription s join watch w on w.id = s.watch_id where s.id = $1`,
    [id],
  );
  return row;
}

/** Notes a request before it is sent: the platform may verify it before it responds. */
export async function noteRequest(
  db: Queryable,
  { key, fence }: Claim<SubscriptionRow>,
  mode: CallbackMode,
): Promise<boolean> {
  const noted = await db.execute(
    `update push_subscription set requested = $3, requested_at = app_now()
     where id = $1 and fence = $2 and lease_until is not null`,
    [key, fence, mode],
  );
  return noted > 0;
}

/** Notes that the platform verified our URL. The lease of a request in progress ends. @param renewMs when to renew */
export async function noteVerified(
  db: Queryable,
  id: string,
  { leaseMs, renewMs }: { leaseMs: number; renewMs: number },
): Promise<void> {
  await db.execute(
    `update push_subscription set requested = null, attempts = 0, lease_until = null,
       expires_at = app_now() + $2 * interval '1 ms', due_at = app_now() + $3 * interval '1 ms'
     where id = $1 and requested = 'subscribe'`,
    [id, leaseMs, renewMs],
  );
}

export async function deleteSubscription(db: Queryable, id: string): Promise<void> {
  await db.execute('delete from push_subscription where id = $1', [id]);
}
