import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { asUnavailable, type Database, sqlState } from './database.ts';

export interface Migration {
  number: number;
  name: string;
  sql: string;
  /** Hexadecimal SHA-256 of the text. */
  checksum: string;
}

/** An arbitrary unique number. Processes that start at the same time migrate one after the other. */
const MIGRATION_LOCK = 7_305_001;
const LOCK_PAUSE_MS = 100;

/** Reads `NNNN-name.sql` files in order, in a few ms. @throws Error when a number is missing or used twice */
export function readMigrations(folder: URL = new URL('./migrations/', import.meta.url)): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return files.map((file, index) => {
    const number = Number(/^(\d{4})-/.exec(file)?.[1]);
    if (number !== index + 1) throw new Error(`Migration ${file} does not continue the sequence.`);
    const sql = readFileSync(new URL(file, folder), 'utf8');
    return { number, name: file, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

/**
 * Migrates the database to this program's schema. Safe to call from several processes at once. Only the migrations
 * themselves have no timeout: a start must not wait forever on a connection whose peer disappeared.
 * @returns names of the migrations applied now
 * @throws Error when the database is newer than this program, or an applied migration was edited
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  if (pendingOf(await readHistory(db), migrations).length === 0) return [];
  const { client, release, limit } = await db.connect();
  try {
    await lock(client);
    await client.query(
      'create table if not exists migration (number integer primary key, name text not null, checksum text not null, at timestamptz not null default now())',
    );
    // Another process may have migrated during the wait.
    const pending = pendingOf((await client.query<Applied>(HISTORY)).rows, migrations);
    limit(null);
    await client.query('set statement_timeout = 0');
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    // Ends the session, and with it the lock, an open transaction and settings that must not leak.
    release(true);
  }
}

interface Applied {
  name: string;
  checksum: string;
}

const HISTORY = 'select name, checksum from migration order by number';
const UNDEFINED_TABLE = '42P01';

async function readHistory(db: Database): Promise<Applied[]> {
  try {
    return await db.query<Applied>(HISTORY);
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return [];
    throw error;
  }
}

/**
 * Waits for a process that is migrating, which may take hours with a large table. Each attempt has the usual timeout.
 */
async function lock(client: pg.ClientBase): Promise<void> {
  const tryLock = 'select pg_try_advisory_lock($1) as locked';
  while (!(await client.query<{ locked: boolean }>(tryLock, [MIGRATION_LOCK])).rows[0]?.locked)
    await pause(LOCK_PAUSE_MS);
}

async function apply(client: pg.ClientBase, { number, name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin');
  await client.query(sql);
  await client.query('insert into migration (number, name, checksum) values ($1, $2, $3)', [number, name, checksum]);
  await client.query('commit');
}

/** @throws Error when the database is newer, or a migration was edited */
function pendingOf(done: readonly Applied[], known: readonly Migration[]): readonly Migration[] {
  checkHistory(done, known);
  return known.slice(done.length);
}

function checkHistory(done: readonly Applied[], known: readonly Migration[]): void {
  if (done.length > known.length)
    throw new Error(
      `The database has the schema of a newer version (${done.at(-1)?.name}). Start that version, or restore a backup.`,
    );
  for (const [index, row] of done.entries()) {
    const migration = known[index];
    if (migration && migration.checksum !== row.checksum)
      throw new Error(`Migration ${row.name} was changed after it had been applied to this database.`);
  }
}
