/** SQL about what is stored. */
import type { Queryable } from '../db/database.ts';

export interface StoredRow {
  kind: 'videos' | 'renditions' | 'uploads';
  files: number;
  bytes: number;
}

/** Indexes: media_stored; `rendition` and `upload` are small, because they are swept after days. */
export function readStored(db: Queryable): Promise<StoredRow[]> {
  const sum = (column: string) => `count(*)::integer as files, coalesce(sum(${column}), 0)::double precision as bytes`;
  return db.query<StoredRow>(
    `select 'videos' as kind, ${sum('bytes')} from media where state = 'stored'
     union all select 'renditions', ${sum('bytes')} from rendition where state = 'stored'
     union all select 'uploads', ${sum('durable')} from upload where used_at is null`,
  );
}

/** Bytes of the database on its server's disk. */
export async function readDatabaseBytes(db: Queryable): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    'select pg_database_size(current_database())::double precision as bytes',
  );
  return row?.bytes ?? 0;
}
