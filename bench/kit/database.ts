/** An embedded PostgreSQL, started as the service does, for benchmarks with several processes. */
import { join } from 'node:path';
import { type Cluster, startCluster } from '../../packages/server/src/db/cluster.ts';
import { createDatabase, type Database } from '../../packages/server/src/db/database.ts';
import { migrate, readMigrations } from '../../packages/server/src/db/migrate.ts';

export interface OwnDatabase {
  cluster: Cluster;
  db: Database;
  /** For `DATABASE_URL`. */
  url: string;
  close(): Promise<void>;
}

export async function startDatabase(folder: string): Promise<OwnDatabase> {
  const cluster = await startCluster({ folder: join(folder, 'database') });
  const db = createDatabase({ connection: cluster.connection, size: 4 });
  await migrate(db, readMigrations());
  const { host, user, password = '', database } = cluster.connection;
  return {
    cluster,
    db,
    url: `postgres://${user}:${password}@${encodeURIComponent(host)}/${database}`,
    async close() {
      await db.close();
      await cluster.stop();
    },
  };
}
