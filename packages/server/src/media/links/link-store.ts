import type { Queryable } from '../../db/database.ts';
import { OUTGOING } from '../rendition/rendition-store.ts';
import type { VideoFacts } from '../types.ts';

export interface LinkedVideo {
  storageKey: string;
  facts: Pick<VideoFacts, 'mime'>;
  /** In hexadecimal. */
  sha256: string;
}

/** The video of an unfinished target; undefined once it is final. Index: primary keys. */
export async function findLinked(db: Queryable, targetId: string): Promise<LinkedVideo | undefined> {
  const [row] = await db.query<LinkedVideo>(
    `select ${OUTGOING}
     from target t join post p on p.id = t.post_id join media m on m.id = p.media_id
       left join rendition r on r.id = t.rendition_id
     where t.id = $1 and t.state not in ('posted', 'failed') and m.state = 'stored'`,
    [targetId],
  );
  return row;
}
