/** Finds accounts whose access certainly ends before their last scheduled post. */
import { accessEnd, type Ends } from '../accounts/tokens/token-lifetime.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';

/** The flows of each platform. */
export type Flows = Readonly<Record<string, Pick<Connector, 'oauth' | 'credentials'>>>;

/** An account's access and what needs it. */
export interface NeededAccess extends Ends<Date> {
  platform: string;
  /** When the last scheduled post is due; null: nothing is scheduled. */
  lastDueAt: Date | null;
}

/** Pure. When the access ends, if a scheduled post is due then or later; else null. */
export function endBeforePosts(flows: Flows, { platform, lastDueAt, ...ends }: NeededAccess): Date | null {
  const end = accessEnd(flows[platform], ends);
  return end && lastDueAt && end <= lastDueAt ? end : null;
}

/** SQL: the columns of {@link NeededAccess} but for the platform, and where they come from; `a` is the account. */
export const NEEDED_ACCESS = {
  columns: `g.kind, g.expires_at as "expiresAt", g.refresh_expires_at as "refreshExpiresAt", last."dueAt" as "lastDueAt"`,
  /** Index: target_account. */
  last: `cross join lateral (select max(t.due_at) as "dueAt" from target t
      where t.account_id = a.id and t.due_at is not null and t.state = 'scheduled') last`,
};

/** Indexes: account_grant, target_account. It reads the grants with an end. */
const CANDIDATES = `select a.id, a.platform, ${NEEDED_ACCESS.columns}
  from access_grant g join account a on a.grant_id = g.id ${NEEDED_ACCESS.last}
  where a.status = 'CONNECTED' and g.ended_at is null and last."dueAt" >= least(g.expires_at, g.refresh_expires_at)`;

/** Once for each end. An account that is being deleted is left out. */
const ADD = `insert into notification (user_id, kind, account_id, occurrence, moment)
  select a.user_id, 'access_ends', a.id, extract(epoch from e.ends), e.ends
  from unnest($1::uuid[], $2::timestamptz[]) as e (id, ends) join account a on a.id = e.id
  for key share of a skip locked
  on conflict do nothing`;

/** Adds a notification for each account and end. Repeating it is harmless. @returns number of new notifications */
export async function noticeEndingAccess(db: Queryable, flows: Flows): Promise<number> {
  const rows = await db.query<NeededAccess & { id: string }>(CANDIDATES);
  const ending = rows.flatMap(({ id, ...access }) => {
    const end = endBeforePosts(flows, access);
    return end ? [{ id, end }] : [];
  });
  if (ending.length === 0) return 0;
  return db.execute(ADD, [ending.map(({ id }) => id), ending.map(({ end }) => end)]);
}
