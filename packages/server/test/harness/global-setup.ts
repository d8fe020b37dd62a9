/**
 * Global set-up of a test run: a database server and a migrated template database, which each test file clones.
 * TEST_DATABASE_URL selects a server to use instead of the embedded one.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startCluster, superuserConnection } from '../../src/db/cluster.ts';
import { createDatabase } from '../../src/db/database.ts';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import { findTools } from '../../src/media/tools.ts';
import { provide } from './provided.ts';
import { temporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folders of the platforms that the conformance tests of this project cover. */
    platforms: string[];
  }
}

/** @returns ends what it started */
export default async function setup(): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  const folder = await mkdtemp(join(temporaryFolder(MEMORY_WANTED), 'reelay-test-'));
  const cluster = url
    ? null
    : await startCluster({ folder, durable: false, settings: ['max_connections=200', 'shared_buffers=128MB'] });
  const server = cluster ? { ...cluster.connection } : parse(url ?? '');
  const template = `reelay_template_${process.pid}`;
  const administration = { ...((cluster && (await superuserConnection(folder))) ?? server), database: 'postgres' };
  const admin = new pg.Client(administration);
  await admin.connect();
  // A deadlock test chooses whose statement is rolled back.
  if (cluster) await admin.query(`grant set on parameter deadlock_timeout to ${server.user}`);
  await admin.query(`drop database if exists ${template}`);
  await admin.query(`create database ${template} owner ${admin.escapeIdentifier(server.user ?? '')}`);
  const db = createDatabase({ connection: { ...server, database: template }, size: 1 });
  await migrate(db, readMigrations());
  await addTestClock(db.execute);
  await db.close();
  provide({ server: { ...server, template }, admin: administration, tools: await findTools() });
  return async () => {
    await admin.query(`drop database if exists ${template} with (force)`);
    await admin.end();
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/**
 * In bytes: 256 MB for the server's WAL, and some tens of databases of 10 MB at a time. Hundreds are created and dropped.
 * In memory, creating one takes 15 ms instead of up to 400 ms.
 */
const MEMORY_WANTED = 3 * 1024 ** 3;

/** The test clock: app_now() adds an offset that is stored in a table. */
async function addTestClock(execute: (sql: string) => Promise<number>): Promise<void> {
  await execute('create schema test_clock');
  await execute(`create table test_clock.shift (by interval not null default '0')`);
  await execute('insert into test_clock.shift default values');
  await execute(
    'create or replace function app_now() returns timestamptz language sql stable as $$ select statement_timestamp() + (select by from test_clock.shift) $$',
  );
}

function parse(url: string): pg.ClientConfig {
  const { hostname, port, username, password, searchParams } = new URL(url);
  return {
    host: searchParams.get('host') ?? hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: password ? decodeURIComponent(password) : undefined,
  };
}
