import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test('a migrated database needs no further migration', async () => {
  expect(await migrate(db, readMigrations())).toEqual([]);
});

test('a program older than the database refuses to start', async () => {
  const all = readMigrations();
  await expect(migrate(db, all.slice(0, -1))).rejects.toThrow(/newer version/);
});

test('an edited migration is detected', async () => {
  const all = readMigrations();
  const edited = all.map((each, index) => (index === 0 ? { ...each, checksum: 'other' } : each));
  await expect(migrate(db, edited)).rejects.toThrow(/0001-initial.sql was changed/);
});

test('two concurrent starts migrate once', async () => {
  const next = { number: 99, name: '9999-x.sql', sql: 'create table once (a integer)', checksum: 'x' };
  const all = [...readMigrations(), next];
  const applied = await Promise.all([
    migrate(db.another(), all),
    migrate(db.another(), all),
    migrate(db.another(), all),
  ]);
  expect(applied.flat()).toEqual(['9999-x.sql']);
});

test('a failed migration is rolled back completely', async () => {
  const all = [
    ...readMigrations(),
    { number: 99, name: '9999-x.sql', sql: 'create table once (a integer)', checksum: 'x' },
    { number: 100, name: '10000-y.sql', sql: 'create table half (a integer); select 1/0', checksum: 'y' },
  ];
  await expect(migrate(db, all)).rejects.toThrow(/division by zero/);
  expect(await db.query(`select to_regclass('half') as found`)).toEqual([{ found: null }]);
});

test('tests can advance the clock, only forward', async () => {
  const before = await db.clock.now();
  await db.clock.advance(3_600_000);
  expect((await db.clock.now()).getTime() - before.getTime()).toBeGreaterThanOrEqual(3_600_000);
});
