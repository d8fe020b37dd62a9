/** Connections that are silently lost, and statements that never end. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import type { DatabaseOptions } from '../../src/db/sessions.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../harness/database-proxy.ts';

let direct: TestDatabase;
let proxy: DatabaseProxy;
const opened: Database[] = [];
beforeAll(async () => {
  direct = await createTestDatabase();
  await direct.execute('create table written (n integer primary key)');
  proxy = await startDatabaseProxy(direct.connection);
});
afterEach(async () => {
  proxy.release();
  proxy.swallow(false);
  await Promise.all(opened.splice(0).map((db) => db.close().catch(() => {})));
  await direct.execute('delete from written');
});
afterAll(async () => {
  await proxy.close();
  await direct.drop();
});

/** A response takes a few ms on loopback; after this time it will not come. */
const RESPONSE_MS = 400;
const away = { code: 'database_unavailable' };

function open(options: Partial<DatabaseOptions> = {}): Database {
  const db = createDatabase({ connection: proxy.connection, size: 3, responseMs: RESPONSE_MS, ...options });
  opened.push(db);
  return db;
}

const write = 'insert into written values ($1)';
const isWrite = (sql: string) => sql === write;
const written = async () => (await direct.query<{ n: number }>('select n from written order by n')).map(({ n }) => n);

test('a statement without a response destroys its connection', async () => {
  const db = open({ size: 1 });
  const backend = async () => (await db.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid;
  const first = await backend();
  void proxy.inject(isWrite, { kind: 'hang', at: 'before' });
  await expect(db.execute(write, [1])).rejects.toMatchObject(away);
  expect(await backend()).not.toBe(first);
  expect(await written()).toEqual([]);
});

test('one timeout destroys idle connections on the same path', async () => {
  const db = open();
  await Promise.all([1, 2, 3].map(() => db.query('select pg_sleep(0.01)')));
  proxy.hang();
  await expect(db.query('select 1')).rejects.toMatchObject(away);
  // Otherwise each would run into its own timeout and fail.
  await Promise.all([1, 2, 3].map(() => db.query('select 1')));
});

test('a connection held by a library times out too', async () => {
  const db = open({ size: 1 });
  const client = await db.pool.connect();
  proxy.hang();
  await expect(client.query('select 1')).rejects.toThrow('did not respond within 400 ms');
  // Without an error, as a query builder does.
  client.release();
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
});

test('a lost COMMIT response is durable and reported as unavailable', async () => {
  const db = open();
  void proxy.inject((sql) => sql === 'commit', { kind: 'hang', at: 'after' });
  const done = vi.fn();
  const work = db.transaction(async (tx) => {
    tx.afterCommit(done);
    await tx.execute(write, [1]);
  });
  await expect(work).rejects.toMatchObject(away);
  expect(done).not.toHaveBeenCalled();
  expect(await written()).toEqual([1]);
});

test('rows locked by a vanished client are released', async () => {
  await direct.execute(write, [1]);
  const db = open({ idleTransactionMs: 100 });
  const { client, release } = await db.connect();
  await client.query('begin; select from written for update');
  proxy.hang();
  expect(await direct.query('select n from written for update')).toEqual([{ n: 1 }]);
  release(true);
});

test('a forgotten transaction ends before leases do by default', async () => {
  const [row] = await open().query<{ ms: number }>(
    `select extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval)::float8 * 1000 as ms`,
  );
  expect(row?.ms).toBeLessThan(7_000);
  expect(row?.ms).toBeGreaterThan(0);
});

test('the server cancels a statement before the client gives up', async () => {
  const db = open({ size: 1, statementMs: 50 });
  await expect(db.query('select pg_sleep(10)')).rejects.toMatchObject({ ...away, cause: { code: '57014' } });
});

test('one statement may get more time than others', async () => {
  // The usual limit also applies to BEGIN, which is slow on a busy machine.
  const db = open({ size: 1, statementMs: 900, responseMs: 1_000 });
  expect(await db.within(30_000).execute('select pg_sleep(1.2)')).toBe(1);
  await expect(db.query('select pg_sleep(1.2)')).rejects.toMatchObject(away);
  await expect(db.within(20).query('select pg_sleep(0.04)')).rejects.toMatchObject(away);
});

test.each(['begin', 'set local statement_timeout = 600000', 'commit', 'rollback'])(
  'a longer limit does not apply to %s',
  async (text) => {
    const db = open({ size: 1 }).within(600_000);
    void proxy.inject((sql) => sql === text, { kind: 'hang', at: 'after' });
    const work = db.transaction(async (tx) => {
      await tx.execute(write, [1]);
      if (text === 'rollback') throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow(text === 'rollback' ? 'changed my mind' : 'database');
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  },
);

test('a dedicated connection may wait without limit', async () => {
  const db = open({ size: 1, responseMs: 50 });
  const { client, release } = await db.connect({ limitMs: null });
  await client.query('select pg_sleep(0.2)');
  release();
  await expect(db.query('select pg_sleep(0.2)')).rejects.toMatchObject(away);
});

test('a start without migrations does not wait for another’s', async () => {
  const { client, release } = await direct.connect();
  await client.query('select pg_advisory_lock(7305001)');
  expect(await migrate(open(), readMigrations())).toEqual([]);
  release(true);
});

test('a start whose lock query hangs ends', async () => {
  const next = { number: 999, name: '0999-next.sql', sql: 'select 1', checksum: 'x' };
  void proxy.inject((sql) => sql.includes('pg_try_advisory_lock'), { kind: 'hang', at: 'after' });
  await expect(migrate(open(), [...readMigrations(), next])).rejects.toMatchObject(away);
});

test('closing does not wait for an unreleased connection', async () => {
  const db = open();
  await db.connect();
  await expect(db.close()).resolves.toBeUndefined();
});

test('closing does not wait for half-open connections', async () => {
  const db = open();
  await db.query('select 1');
  proxy.hang();
  await db.close();
  await expect.poll(() => proxy.open).toBe(0);
});

test('a server that accepts and stays silent is unavailable', async () => {
  const db = open({ connection: { ...proxy.connection, connectionTimeoutMillis: 100 } });
  proxy.swallow(true);
  await expect(db.query('select 1')).rejects.toMatchObject(away);
  proxy.swallow(false);
  // A connection may take longer than 100 ms on a busy machine.
  await expect.poll(() => db.query('select 1 as one').catch(() => null)).toEqual([{ one: 1 }]);
});

test('every session waits for its commits to be durable', async () => {
  const setting = async (db: Database) =>
    (await db.query<{ value: string }>(`select current_setting('synchronous_commit') as value`))[0]?.value;
  const weak = { ...direct.connection, options: '-c synchronous_commit=off' };
  const strong = { ...direct.connection, options: '-c synchronous_commit=remote_apply' };
  expect(await setting(open({ connection: weak }))).toBe('on');
  expect(await setting(open({ connection: strong }))).toBe('remote_apply');
});
