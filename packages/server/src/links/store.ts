import type { Queryable } from '../db/database.ts';

export interface LinkedVideo {
  storageKey: string;
  mime: string;
  /** Hex. */
  sha256: string;
}

/** The video of a target that is still on its way; undefined once it is settled. Index: primary keys. */
export async function findLinked(db: Queryable, targetId: string): Promise<LinkedVideo | undefined> {
  const [row] = await db.query<LinkedVideo>(
    `select m.storage_key as "storageKey", m.facts->>'mime' as mime, encode(m.sha256, 'hex') as sha256
     from target t join post p on p.id = t.post_id join media m on m.id = p.media_id
     where t.id = $1 and t.state not in ('posted', 'failed') and m.state = 'stored'`,
    [targetId],
  );
  return row;
}
