/**
 * Writes packages/server/src/db/schema.snapshot.json: the schema that the migrations produce. It shows the whole schema
 * in one file and its changes in a diff. With --check it only checks that the file is up to date.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../packages/server/src/db/cluster.ts';
import { createDatabase, type Queryable } from '../packages/server/src/db/database.ts';
import { migrate, readMigrations } from '../packages/server/src/db/migrate.ts';
import { putGenerated } from './generated-file.ts';

interface Table {
  unlogged?: true;
  /** Column name → type, `not null`, default; in table order. */
  columns: Record<string, string>;
  constraints: Record<string, string>;
  indexes: Record<string, string>;
  triggers?: Record<string, string>;
}

/** Describes tables by schema and name. The result is the same on every supported version of PostgreSQL. */
export async function describeSchema(db: Queryable): Promise<Record<string, Table>> {
  const ours = `n.nspname in ('public', 'auth', 'sandbox')`;
  const tables = await db.query<{ name: string; unlogged: boolean }>(
    `select n.nspname || '.' || c.relname as name, c.relpersistence = 'u' as unlogged
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and ${ours} order by 1`,
  );
  const parts = (sql: string) => db.query<{ on: string; name: string; text: string }>(sql);
  const columns = await parts(
    `select n.nspname || '.' || c.relname as on, a.attname as name,
            format_type(a.atttypid, a.atttypmod)
              || case when a.attnotnull then ' not null' else '' end
              || case a.attidentity when 'a' then ' identity' when 'd' then ' identity by default' else '' end
              || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as text
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p') and ${ours} order by 1, a.attnum`,
  );
  // PostgreSQL 18 also lists "not null" as constraints (contype n); they are part of the columns here.
  const constraints = await parts(
    `select n.nspname || '.' || c.relname as on, k.conname as name, pg_get_constraintdef(k.oid) as text
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where k.contype <> 'n' and ${ours} order by 1, 2`,
  );
  const indexes = await parts(
    `select n.nspname || '.' || c.relname as on, x.relname as name, pg_get_indexdef(x.oid) as text
       from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
       join pg_namespace n on n.oid = c.relnamespace where ${ours} order by 1, 2`,
  );
  const triggers = await parts(
    `select n.nspname || '.' || c.relname as on, t.tgname as name, pg_get_triggerdef(t.oid) as text
       from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where not t.tgisinternal and ${ours} order by 1, 2`,
  );
  return Object.fromEntries(
    tables.map(({ name, unlogged }) => {
      const of = (rows: typeof columns) =>
        Object.fromEntries(rows.filter((row) => row.on === name).map((row) => [row.name, row.text]));
      const triggered = of(triggers);
      return [
        name,
        {
          ...(unlogged ? { unlogged } : {}),
          columns: of(columns),
          constraints: of(constraints),
          indexes: of(indexes),
          ...(Object.keys(triggered).length > 0 ? { triggers: triggered } : {}),
        },
      ];
    }),
  );
}

/** The schema of a new installation. */
async function fresh(): Promise<Record<string, Table>> {
  const folder = await mkdtemp(join(tmpdir(), 'reelay-schema-'));
  const cluster = await startCluster({ folder, durable: false });
  const db = createDatabase({ connection: cluster.connection, size: 1 });
  try {
    await migrate(db, readMigrations());
    return await describeSchema(db);
  } finally {
    await db.close();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main)
  putGenerated('packages/server/src/db/schema.snapshot.json', `${JSON.stringify(await fresh(), null, 2)}\n`);
