import pg from 'pg';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { provided } from './provided.ts';

export interface TestDatabase extends Database {
  connection: pg.ClientConfig;
  /** `postgres://` URL of this database, for separate processes. */
  url: string;
  clock: TestClock;
  /** Opens another pool on the same database. */
  another(size?: number): Database;
  /**
   * Changes settings of the server for all connections to this database, also settings that need a superuser. Ends the
   * open connections.
   */
  configure(settings: Readonly<Record<string, string>>): Promise<void>;
  drop(): Promise<void>;
}

/** Controls the time that the service's SQL sees. */
export interface TestClock {
  /** The current time of the database. */
  now(): Promise<Date>;
  advance(ms: number): Promise<void>;
  /** Advances to a point in time (never backwards). */
  advanceTo(moment: Date): Promise<void>;
}

/** How long a test can hold a lock while a service works, in ms. A slow machine needs more than the default. */
const HELD_MS = 60_000;

let admin: pg.Pool | null = null;

/**
 * One per process: a separate connection for each database cost the server more than creating and dropping the
 * database.
 */
function administration(): pg.Pool {
  admin ??= new pg.Pool({ ...provided('admin'), max: 1, allowExitOnIdle: true }).on('error', () => {});
  return admin;
}

/** Creates a database for this test, cloned from the migrated template. Call `drop` at the end. */
export async function createTestDatabase(size = 8): Promise<TestDatabase> {
  const { template, ...server } = provided('server');
  const name = `reelay_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  const owner = `"${server.user}"`;
  await administration().query(`create database ${name} template ${template} strategy file_copy owner ${owner}`);
  const connection = { ...server, database: name };
  const others: Database[] = [];
  const db = createDatabase({ connection, size, idleTransactionMs: HELD_MS });
  return {
    ...db,
    connection,
    url: urlOf(connection),
    clock: clockOf(db),
    another(most = 4) {
      const other = createDatabase({ connection, size: most, idleTransactionMs: HELD_MS });
      others.push(other);
      return other;
    },
    async configure(settings) {
      for (const [setting, value] of Object.entries(settings))
        await administration().query(`alter database ${name} set ${setting} = '${value}'`);
      await administration().query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    },
    async drop() {
      await Promise.all([db, ...others].map((each) => each.close().catch(() => {})));
      await administration().query(`drop database if exists ${name} with (force)`);
    },
  };
}

function clockOf(db: Database): TestClock {
  return {
    async now() {
      const [row] = await db.query<{ now: Date }>('select app_now() as now');
      return row?.now ?? new Date(0);
    },
    async advance(ms) {
      await db.execute(`update test_clock.shift set by = by + $1 * interval '1 millisecond'`, [ms]);
    },
    async advanceTo(moment) {
      await db.execute("update test_clock.shift set by = by + greatest($1 - app_now(), interval '0')", [moment]);
    },
  };
}

function urlOf(connection: pg.ClientConfig): string {
  const user = encodeURIComponent(connection.user ?? '');
  const password = connection.password ? `:${encodeURIComponent(String(connection.password))}` : '';
  const host = connection.host ?? 'localhost';
  if (host.startsWith('/'))
    return `postgres://${user}${password}@/${connection.database}?host=${encodeURIComponent(host)}`;
  return `postgres://${user}${password}@${host}:${connection.port}/${connection.database}`;
}
