/** SQL of streams: which connections announce posts, and for which accounts. */
import type { Queryable } from '../../db/database.ts';
import { type Claim, type DueRows, dueRows } from '../../queue/claim.ts';

export interface StreamRow {
  id: string;
  platform: string;
  sandbox: boolean;
  /** Null: one connection for many accounts. */
  watch_id: string | null;
  read_until: Date | null;
}

/** Index: push_stream_due. */
export const dueStreams: DueRows<StreamRow> = dueRows<StreamRow>('push_stream', {
  user: 'user_id',
  service: 'service',
});

/** SQL: watches `w` in progress, with their connected accounts `a`. */
const LIVE = `from watch w join identity d on d.watch_id = w.id join account a on a.identity_id = d.id
  where (w.due_at is not null or w.lease_until is not null) and a.status = 'CONNECTED'`;

/**
 * Adds the missing streams of watches in progress, and deletes those of others; their holders notice when they renew
 * the lease. @param platforms those with a stream for each account, and those with one for many
 */
export async function syncStreams(
  db: Queryable,
  { account, shared }: { account: readonly string[]; shared: readonly string[] },
): Promise<void> {
  await db.execute(
    `insert into push_stream (platform, sandbox, watch_id, user_id, service)
       select w.platform, bool_or(a.sandbox), w.id, w.user_id, w.service ${LIVE} and w.platform = any($1)
         and not exists (select from push_stream s where s.watch_id = w.id)
       group by w.id, w.platform
     on conflict do nothing`,
    [account],
  );
  await db.execute(
    `insert into push_stream (platform, sandbox) select distinct w.platform, a.sandbox ${LIVE} and w.platform = any($1)
     on conflict do nothing`,
    [shared],
  );
  await db.execute(
    `delete from push_stream s where case
       when s.watch_id is not null then not exists (select ${LIVE} and w.id = s.watch_id)
       else not exists (select ${LIVE} and w.platform = s.platform and a.sandbox = s.sandbox) end`,
  );
}

/** Extends the lease, and notes that messages were read until now. @returns false if the stream must be closed */
export async function keepStream(db: Queryable, claim: Claim<StreamRow>, leaseMs: number): Promise<boolean> {
  if (!(await dueStreams.renew(db, claim, leaseMs))) return false;
  await noteRead(db, claim);
  return true;
}

/** Notes that messages were read until now. Index: primary key. */
export async function noteRead(db: Queryable, { key, fence }: Claim<StreamRow>): Promise<void> {
  await db.execute('update push_stream set read_until = app_now() where id = $1 and fence = $2', [key, fence]);
}

/** Accounts of a shared stream: identity by remote id, those watched longest first. */
export async function sharedAccounts(
  db: Queryable,
  { platform, sandbox }: StreamRow,
  limit: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ remoteId: string; identityId: string }>(
    `select d.remote_id as "remoteId", d.id as "identityId" ${LIVE} and w.platform = $1 and a.sandbox = $2
     group by d.id, d.remote_id, w.began_at order by w.began_at, d.id limit $3`,
    [platform, sandbox, limit],
  );
  return new Map(rows.map(({ remoteId, identityId }) => [remoteId, identityId]));
}
