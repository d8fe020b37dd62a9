/** SQL of readers: the accounts through which a watch reads. */
import type { Queryable } from '../db/database.ts';
import { WANTED } from './watch-store.ts';

/** A connected account through which a watch can read. */
export interface Reader {
  accountId: string;
  identityId: string;
  userId: string;
  /** The account's server if its user named one; otherwise "". */
  service: string;
  sandbox: boolean;
}

/** Connected accounts with a rule that needs the posts. Indexes: identity_watch, account_identity, rule_source. */
export function findReaders(db: Queryable, watchId: string): Promise<Reader[]> {
  return db.query<Reader>(
    `select a.id as "accountId", a.identity_id as "identityId", a.user_id as "userId", a.service, a.sandbox
     from identity d join account a on a.identity_id = d.id
     where d.watch_id = $1 and a.status = 'CONNECTED' and exists (select ${WANTED}) order by a.id`,
    [watchId],
  );
}

/** Whether rules need the posts, with or without a connected account. Indexes: as {@link findReaders}. */
export async function isWanted(db: Queryable, watchId: string): Promise<boolean> {
  const rows = await db.query(
    `select from identity d join account a on a.identity_id = d.id
     where d.watch_id = $1 and a.status <> 'DISCONNECTED' and exists (select ${WANTED}) limit 1`,
    [watchId],
  );
  return rows.length > 0;
}
