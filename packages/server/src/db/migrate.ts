import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { asUnavailable, type Database } from './database.ts';

export interface Migration {
  number: number;
  name: string;
  sql: string;
  /** Hex SHA-256 of the text. */
  checksum: string;
}

/** Any number will do, as long as it is ours: two processes that start at once migrate one after the other. */
const MIGRATION_LOCK = 7_305_001;

/** Reads `NNNN-name.sql` files in order. @throws when a number is missing or used twice */
export async function readMigrations(folder: URL = new URL('./migrations/', import.meta.url)): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const number = Number(/^(\d{4})-/.exec(file)?.[1]);
      if (number !== index + 1) throw new Error(`Migration ${file} does not continue the sequence.`);
      const sql = await readFile(new URL(file, folder), 'utf8');
      return { number, name: file, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Brings the database to this program's schema; safe to call from several processes at once.
 * @returns the names of the migrations that were applied now
 * @throws Error when the database is newer than this program, or a migration that ran has been edited since
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  // Another process may be migrating a large table for hours.
  const { client, release } = await db.connect({ limitMs: null });
  try {
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      await client.query(
        'create table if not exists migration (number integer primary key, name text not null, checksum text not null, at timestamptz not null default now())',
      );
      const { rows } = await client.query<{ number: number; name: string; checksum: string }>(
        'select number, name, checksum from migration order by number',
      );
      checkHistory(rows, migrations);
      const applied: string[] = [];
      for (const migration of migrations.slice(rows.length)) {
        await client.query('begin');
        await client.query(migration.sql);
        await client.query('insert into migration (number, name, checksum) values ($1, $2, $3)', [
          migration.number,
          migration.name,
          migration.checksum,
        ]);
        await client.query('commit');
        applied.push(migration.name);
      }
      return applied;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {});
    }
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    // The session has settings that nobody else may inherit.
    release(true);
  }
}

function checkHistory(done: readonly { name: string; checksum: string }[], known: readonly Migration[]): void {
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
