/** The tables that loops claim from, as the source declares them, with generated rows. */
import { readdir, readFile } from 'node:fs/promises';
import type { DueColumns } from '../../src/queue/claim.ts';
import type { TestDatabase } from '../harness/database.ts';

export const SOURCE = new URL('../../src/', import.meta.url);

/** Columns whose values the generated rows could not have. */
const GIVEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  account: { status: `'CONNECTED'` },
  access_grant: { kind: `'oauth'` },
  notification_channel: { kind: `'ntfy'` },
  firing: { watched_post_id: 'gen_random_uuid()' },
};
const VALUES: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: 'gen_random_uuid()::text',
  'timestamp with time zone': 'app_now()',
  jsonb: `'{}'`,
  bytea: `''`,
  ARRAY: `'{}'`,
  boolean: 'false',
};

export interface Loop {
  table: string;
  columns: DueColumns;
}

/** The calls of `dueRows` in the source. */
export async function declaredLoops(): Promise<Loop[]> {
  const files = await readdir(SOURCE, { recursive: true });
  const texts = await Promise.all(
    files.filter((name) => name.endsWith('.ts')).map((name) => readFile(new URL(name, SOURCE), 'utf8')),
  );
  return texts
    .flatMap((text) => [...text.matchAll(/= dueRows(?:<[^(]*>)?\(\s*'(\w+)', \{([^}]*)\}/g)])
    .map(([, table = '', given = '']) => {
      const columns = Object.fromEntries(
        [...given.matchAll(/(\w+): '?(\w+)'?/g)].map(([, name, value]) => [name, value]),
      );
      return { table, columns: { ...columns, user: columns.user === 'null' ? null : columns.user } as DueColumns };
    });
}

/** Drops the foreign keys of the tables, so that their rows can be alone. */
export async function dropReferences(db: TestDatabase, loops: readonly Loop[]): Promise<void> {
  const keys = await db.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname as name from pg_constraint where contype = 'f'`,
  );
  for (const { table, name } of keys)
    if (loops.some((each) => each.table === table)) await db.execute(`alter table ${table} drop constraint ${name}`);
}

/** Adds due rows that refer to nothing. @param given SQL by column */
export async function addRows(
  db: TestDatabase,
  table: string,
  count: number,
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const columns = await db.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null`,
    [table],
  );
  const values = {
    ...Object.fromEntries(columns.map(({ name, type }) => [name, VALUES[type] ?? '0'])),
    ...GIVEN[table],
    ...given,
  };
  await db.execute(
    `insert into ${table} (${Object.keys(values).join(', ')})
     select ${Object.values(values).join(', ')} from generate_series(1, ${count}) n`,
  );
}
