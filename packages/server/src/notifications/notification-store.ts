/**
 * SQL of notifications. Rows are facts, written by triggers. Lists show one entry for each kind and subject, with the
 * time and the id of its latest fact. Index of all statements of one user: the unique key, which begins with the user.
 * A user has a bounded number of rows.
 */
import type { Queryable } from '../db/database.ts';
import { isAfter, microsOf, type Position } from '../errors/cursor.ts';
import type { MessageRef } from '../messages/message.ts';
import type { TargetCode } from '../publishing/target.ts';
import { NEEDED_ACCESS, type NeededAccess } from './ending-access.ts';
import type { NotificationKind } from './kinds.ts';

export interface EntryRow {
  id: string;
  at: Date;
  micros: string;
  kind: NotificationKind;
  postId: string | null;
  accountId: string;
  unread: boolean;
  moment: Date | null;
  /** When the trouble ended on all accounts; null: it lasts, or the notification is of another kind. */
  resolvedAt: Date | null;
}

/** SQL: the latest fact of each subject. @param where condition on `n` */
const latest = (where: string) => `
  select distinct on (n.kind, n.subject_id) n.id, n.at, n.kind, n.post_id as "postId", n.account_id as "accountId",
    bool_or(n.read_at is null) over subject as unread, n.moment,
    case when bool_and(n.resolved_at is not null) over subject then max(n.resolved_at) over subject end as "resolvedAt"
  from notification n where ${where} window subject as (partition by n.kind, n.subject_id)
  order by n.kind, n.subject_id, n.at desc, n.id desc`;

export function listEntries(
  db: Queryable,
  userId: string,
  kinds: readonly NotificationKind[],
  after: Position | null,
  limit: number,
): Promise<EntryRow[]> {
  return db.query<EntryRow>(
    `select e.*, ${microsOf('e.at')} as micros from (${latest('n.user_id = $1 and n.kind = any($2::text[])')}) e
     where ${isAfter({ time: 'e.at', id: 'e.id' }, 3)} order by e.at desc, e.id desc limit $5`,
    [userId, kinds, after?.micros ?? null, after?.id ?? null, limit],
  );
}

/** What a mail is about: the latest fact of each subject among these facts, oldest first. Index: primary key. */
export function entriesOf(db: Queryable, ids: readonly string[]): Promise<EntryRow[]> {
  return db.query<EntryRow>(
    `select e.*, ${microsOf('e.at')} as micros from (${latest('n.id = any($1::uuid[])')}) e order by e.at, e.id`,
    [ids],
  );
}

/** Returns the number of unread entries. */
export async function countUnread(db: Queryable, userId: string, kinds: readonly NotificationKind[]): Promise<number> {
  const [row] = await db.query<{ unread: number }>(
    `select count(distinct (kind, subject_id))::integer as unread from notification
     where user_id = $1 and read_at is null and kind = any($2::text[])`,
    [userId, kinds],
  );
  return row?.unread ?? 0;
}

/**
 * Marks an entry as read, up to the given fact: a later one stays unread.
 * @param all the earlier facts of these kinds are marked too
 */
export async function markRead(
  db: Queryable,
  userId: string,
  id: string,
  all: readonly NotificationKind[] = [],
): Promise<void> {
  await db.execute(
    `update notification n set read_at = app_now()
     from (select kind, subject_id, at, id from notification where user_id = $1 and id = $2) shown
     where n.user_id = $1 and n.read_at is null and (n.at, n.id) <= (shown.at, shown.id)
       and (n.kind = any($3::text[]) or (n.kind, n.subject_id) = (shown.kind, shown.subject_id))`,
    [userId, id, all],
  );
}

export interface PostRow {
  id: string;
  description: string;
  filename: string;
  accounts: number;
  failed: AffectedAccount[];
  /** Retried now. */
  troubled: AffectedAccount[];
}

/** An account on which a post failed, or is retried. */
export interface AffectedAccount {
  id: string;
  platform: string;
  username: string;
  displayName: string;
  code: TargetCode | null;
  /** In English; null if it is retried. */
  detail: string | null;
  platformCode: string | null;
  /** What the detail was made from; null for failures from before messages had codes. */
  reason: MessageRef | null;
}

/** Reads posts with their accounts that are failed now, or retried. Indexes: primary keys, target_post, timeline_target. */
export function readPosts(db: Queryable, ids: readonly string[]): Promise<PostRow[]> {
  return db.query<PostRow>(
    `select p.id, p.description, m.thumbnail as filename, count(*)::integer as accounts,
       coalesce(json_agg(json_build_object('id', a.id, 'platform', a.platform, 'username', a.username, 'displayName', a.display_name, 'code', t.code,
         'detail', t.detail, 'platformCode', t.platform_code, 'reason', (
           select json_build_object('code', l.code, 'params', coalesce(l.params, '{}')) from timeline l
           where l.target_id = t.id and l.event = 'failed' and l.code is not null order by l.id desc limit 1)) order by t.position) filter (where t.state = 'failed'),
         '[]') as failed,
       coalesce(json_agg(json_build_object('id', a.id, 'platform', a.platform, 'username', a.username, 'displayName', a.display_name,
         'code', t.trouble->>'code', 'detail', null, 'platformCode', t.trouble->>'platformCode',
         'reason', t.trouble->'reason') order by t.position)
         filter (where t.trouble is not null and t.due_at is not null), '[]') as troubled
     from post p join media m on m.id = p.media_id join target t on t.post_id = p.id join account a on a.id = t.account_id
     where p.id = any($1::uuid[]) group by p.id, m.thumbnail`,
    [ids],
  );
}

/** With its access, whose times are null if it has none. */
export interface AccountRow extends NeededAccess {
  id: string;
  username: string;
  displayName: string;
  status: 'CONNECTED' | 'EXPIRED' | 'REVOKED' | 'DISCONNECTED';
}

/** Indexes: primary keys, target_account. */
export function readAccounts(db: Queryable, ids: readonly string[]): Promise<AccountRow[]> {
  return db.query<AccountRow>(
    `select a.id, a.platform, a.username, a.display_name as "displayName", a.status, ${NEEDED_ACCESS.columns}
     from account a left join access_grant g on g.id = a.grant_id ${NEEDED_ACCESS.last}
     where a.id = any($1::uuid[])`,
    [ids],
  );
}
