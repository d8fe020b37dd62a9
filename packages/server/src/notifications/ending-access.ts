/** Finds accounts whose access certainly ends before their last scheduled post. */
import { accessEnd, type Ends } from '../accounts/tokens/token-lifetime.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';

interface CandidateRow extends Ends<Date> {
  id: string;
  platform: string;
  lastDueAt: Date;
}

/** Indexes: account_grant, target_account. It reads the grants with an end. */
const CANDIDATES = `select a.id, a.platform, g.kind, g.expires_at as "expiresAt",
    g.refresh_expires_at as "refreshExpiresAt", last."dueAt" as "lastDueAt"
  from access_grant g join account a on a.grant_id = g.id
    cross join lateral (select max(t.due_at) as "dueAt" from target t
      where t.account_id = a.id and t.due_at is not null and t.state = 'scheduled') last
  where a.status = 'CONNECTED' and g.ended_at is null and last."dueAt" >= least(g.expires_at, g.refresh_expires_at)`;

/** Once for each end. An account that is being deleted is left out. */
const ADD = `insert into notification (user_id, kind, account_id, occurrence, moment)
  select a.user_id, 'access_ends', a.id, extract(epoch from e.ends), e.ends
  from unnest($1::uuid[], $2::timestamptz[]) as e (id, ends) join account a on a.id = e.id
  for key share of a skip locked
  on conflict do nothing`;

/** Adds a notification for each account and end. Repeating it is harmless. @returns number of new notifications */
export async function noticeEndingAccess(
  db: Queryable,
  connectors: Readonly<Record<string, Pick<Connector, 'oauth' | 'credentials'>>>,
): Promise<number> {
  const rows = await db.query<CandidateRow>(CANDIDATES);
  const ending = rows.flatMap(({ id, platform, lastDueAt, ...ends }) => {
    const end = accessEnd(connectors[platform], ends);
    return end && end <= lastDueAt ? [{ id, end }] : [];
  });
  if (ending.length === 0) return 0;
  return db.execute(ADD, [ending.map(({ id }) => id), ending.map(({ end }) => end)]);
}
