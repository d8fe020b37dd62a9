/** The database of a run: an embedded server accessed through a proxy, with a clock that the run controls. */
import { join } from 'node:path';
import { type Cluster, startCluster } from '../packages/server/src/db/cluster.ts';
import { createDatabase, type Database } from '../packages/server/src/db/database.ts';
import { migrate, readMigrations } from '../packages/server/src/db/migrate.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../packages/server/test/harness/database-proxy.ts';

export interface ChaosDatabase {
  cluster: Cluster;
  /** Bypasses the proxy, for the run itself. */
  db: Database;
  proxy: DatabaseProxy;
  /** Goes through the proxy, for `DATABASE_URL`. */
  url: string;
  clock: ChaosClock;
  close(): Promise<void>;
}

export interface ChaosClock {
  /** Ms since the epoch, as SQL sees it. */
  now(): number;
  /**
   * Advances the clock to the next due time, unless a worker holds a lease. If the clock ended that lease, two workers
   * could act at once.
   * @param checks whether checks of watched accounts count. They are always due soon, so the clock then moves slowly
   * @returns whether the clock moved
   */
  advance(checks: boolean): Promise<boolean>;
  /** Advances the clock by this time, regardless of leases. No worker may be running. */
  skip(ms: number): Promise<void>;
}

/** The audit reads all rows on a busy machine, so statements may take longer. In ms. */
const STATEMENT_MS = 60_000;
/** Every process has a pool, and connections of killed and hung clients stay for a while. */
const MAX_CONNECTIONS = 200;

export async function startChaosDatabase(folder: string): Promise<ChaosDatabase> {
  const cluster = await startCluster({
    folder: join(folder, 'database'),
    settings: [`max_connections=${MAX_CONNECTIONS}`],
  });
  const db = createDatabase({ connection: cluster.connection, size: 4, statementMs: STATEMENT_MS });
  await migrate(db, await readMigrations());
  const clock = await addClock(db);
  const proxy = await startDatabaseProxy(cluster.connection);
  return {
    cluster,
    db,
    proxy,
    clock,
    url: proxy.url,
    async close() {
      await proxy.close();
      await db.close();
      await cluster.stop();
    },
  };
}

const MAX_STEP_MS = 24 * 3_600_000;

async function addClock(db: Database): Promise<ChaosClock> {
  await db.execute('create schema chaos');
  await db.execute(`create table chaos.shift (ms float8 not null)`);
  await db.execute('insert into chaos.shift values (0)');
  await db.execute(
    `create or replace function app_now() returns timestamptz language sql stable as
     $$ select statement_timestamp() + (select ms from chaos.shift) * interval '1 ms' $$`,
  );
  let shift = 0;
  return {
    now: () => Date.now() + shift,
    async advance(checks) {
      const moved = await db.transaction(async (tx) => {
        await tx.execute('lock table lane in exclusive mode');
        const [next] = await tx.query<{ held: boolean; waitMs: number | null }>(
          `select coalesce(bool_or(lease_until > app_now()), false) as held,
             (extract(epoch from least(min(next_due_at), (select min(due_at) from firing), (select min(due_at) from rendition),
               (select min(due_at) from watched_post), (select min(due_at) from source_file),
               (select min(due_at) from watch where $1)) - app_now()) * 1000)::float8 as "waitMs" from lane`,
          [checks],
        );
        if (!next || next.held || next.waitMs === null || next.waitMs <= 0) return 0;
        const step = Math.min(Math.ceil(next.waitMs), MAX_STEP_MS);
        await tx.execute('update chaos.shift set ms = ms + $1', [step]);
        return step;
      });
      shift += moved;
      return moved > 0;
    },
    async skip(ms) {
      await db.execute('update chaos.shift set ms = ms + $1', [ms]);
      shift += ms;
    },
  };
}
