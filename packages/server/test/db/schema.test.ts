import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeSchema } from '../../../../scripts/schema.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const snapshot = async () =>
  JSON.parse(await readFile(new URL('../../src/db/schema.snapshot.json', import.meta.url), 'utf8'));

test('the schema matches the snapshot (else: npm run generate)', async () => {
  expect(await describeSchema(db)).toEqual(await snapshot());
});

test.each([
  'alter table post add column planted text',
  'alter table post alter column description drop not null',
  'alter table post alter column scheduled set default false',
  'create index planted on post (description)',
  'drop index post_history',
  'alter table post add constraint planted check (preview_time_ms >= 0)',
  'alter table rate set logged',
  'drop trigger first_user on auth."user"',
  'create table planted (a integer)',
])('a change is detected: %s', async (statement) => {
  const change = db.transaction(async (tx) => {
    await tx.execute(statement);
    expect(await describeSchema(tx)).not.toEqual(await snapshot());
    throw new Error('taken back');
  });
  await expect(change).rejects.toThrow('taken back');
});

test('every foreign key has a usable index unless listed here', async () => {
  // A partial index serves the check of a key only if it leaves out nothing but null.
  const bare = await db.query<{ key: string }>(
    `select k.conrelid::regclass || ' ' || pg_get_constraintdef(k.oid) as key
       from pg_constraint k
      where k.contype = 'f' and not exists (
        select from pg_index i
        where i.indrelid = k.conrelid and (i.indkey::smallint[])[0:cardinality(k.conkey) - 1] @> k.conkey
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (
            select '(' || a.attname || ' IS NOT NULL)' from pg_attribute a
            where a.attrelid = k.conrelid and a.attnum = any(k.conkey))))
      order by 1`,
  );
  // Identities are never deleted.
  expect(bare.map(({ key }) => key.replace(/ ON DELETE.*/, ''))).toMatchInlineSnapshot(`
    [
      "target FOREIGN KEY (identity_id) REFERENCES identity(id)",
    ]
  `);
});
