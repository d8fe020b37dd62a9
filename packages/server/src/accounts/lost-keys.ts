/** Finds accounts whose tokens cannot be decrypted with the current SECRET_KEY. Reads only the database. */
import type { Queryable } from '../db/database.ts';
import type { Sealer } from '../seal.ts';
import { openSecret } from './grant-secret.ts';

interface SealedGrant {
  id: string;
  sealed: Buffer;
  accounts: number;
}

/** Grants per query. */
const BATCH = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Counts connected accounts, and those whose tokens no key decrypts. Indexes: primary key, account_grant. */
export async function countLostKeys(db: Queryable, sealer: Sealer): Promise<{ accounts: number; lost: number }> {
  const counted = { accounts: 0, lost: 0 };
  for (let after = FIRST_ID; ; ) {
    const grants = await db.query<SealedGrant>(
      `select g.id, g.sealed, n.accounts from access_grant g, lateral (
         select count(*)::integer as accounts from account a where a.grant_id = g.id and a.status = 'CONNECTED') n
       where g.id > $1 and n.accounts > 0 order by g.id limit ${BATCH}`,
      [after],
    );
    for (const grant of grants) {
      counted.accounts += grant.accounts;
      if (!openSecret(sealer, grant)) counted.lost += grant.accounts;
    }
    const last = grants.at(-1);
    if (!last || grants.length < BATCH) return counted;
    after = last.id;
  }
}

/** Returns the ids of the given grants that no key decrypts. Index: primary key. */
export async function lostGrants(db: Queryable, sealer: Sealer, ids: readonly string[]): Promise<Set<string>> {
  const grants = await db.query<SealedGrant>('select id, sealed from access_grant where id = any($1::uuid[])', [ids]);
  return new Set(grants.filter((grant) => !openSecret(sealer, grant)).map(({ id }) => id));
}
