/** The pool with connections that break while in use. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const cut = (pid: number) => db.another(1).query('select pg_terminate_backend($1)', [pid]);

test('a connection that breaks in a library fails its statement', async () => {
  // Acquired from the pool directly, as a query builder does.
  const client = await db.pool.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const broken = vi.fn();
  client.once('end', broken);
  await cut(rows[0]?.pid ?? 0);
  await expect.poll(() => broken.mock.calls.length).toBeGreaterThan(0);
  await expect(client.query('select 1')).rejects.toThrow();
  client.release(true);
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
});

test('a break in a transaction reports an unavailable database', async () => {
  const work = db.transaction(async (tx) => {
    const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    await cut(row?.pid ?? 0);
    await tx.query('select 1');
  });
  await expect(work).rejects.toMatchObject({ code: 'database_unavailable' });
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
});

test('listeners do not accumulate on a reused connection', async () => {
  const own = db.another(1);
  const counts = [];
  for (let round = 0; round < 3; round++) {
    const { client, release } = await own.connect();
    counts.push(client.listenerCount('error'));
    release();
  }
  expect(new Set(counts).size).toBe(1);
});
