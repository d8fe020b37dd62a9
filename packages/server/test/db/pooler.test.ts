import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../src/db/database.ts';
import { refuseTransactionPooler } from '../../src/db/pooler.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { startTransactionPooler } from '../harness/transaction-pooler.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test('a pooler in transaction mode is rejected with a sentence', async () => {
  const pooler = await startTransactionPooler(db.connection);
  await expect(refuseTransactionPooler(pooler.connection)).rejects.toThrow(/pooler .* pool_mode=session/);
  await pooler.close();
});

test('PostgreSQL itself is accepted', async () => {
  await expect(refuseTransactionPooler(db.connection)).resolves.toBeUndefined();
});

test('an unavailable database is reported as such', async () => {
  const nowhere = { ...db.connection, host: '127.0.0.1', port: 1 };
  await expect(refuseTransactionPooler(nowhere)).rejects.toMatchObject({ code: 'database_unavailable' });
});

test('no settings are sent as connection parameters', async () => {
  const settings = createDatabase({ connection: db.connection, size: 1, settings: { search_path: 'auth' } });
  const [row] = await settings.query('select reset_val, setting from pg_settings where name = $1', ['search_path']);
  expect(row).toEqual({ setting: 'auth', reset_val: expect.not.stringContaining('auth') });
  await settings.close();
});
