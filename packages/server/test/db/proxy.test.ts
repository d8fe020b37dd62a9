/** Tests the proxy that other tests use to break connections. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../harness/database-proxy.ts';

let db: TestDatabase;
let proxy: DatabaseProxy;
const clients: pg.Client[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  await db.execute('create table written (n integer)');
  proxy = await startDatabaseProxy(db.connection);
});
afterEach(async () => {
  proxy.release();
  proxy.delay(0);
  for (const client of clients.splice(0)) client.end().catch(() => {});
  await db.execute('delete from written');
});
afterAll(async () => {
  await proxy.close();
  await db.drop();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(proxy.connection);
  client.on('error', () => {});
  await client.connect();
  clients.push(client);
  return client;
}

const written = async () => (await db.query<{ n: number }>('select n from written order by n')).map(({ n }) => n);
const write = (client: pg.Client, n: number) =>
  client.query({ name: 'write', text: 'insert into written values ($1)', values: [n] });
const isWrite = (sql: string) => sql.startsWith('insert into written');

/** Whether a promise is still pending after the database has certainly had time for it. */
async function isPending(work: Promise<unknown>): Promise<boolean> {
  const other = await connect();
  await other.query('select pg_sleep(0.02)');
  return (await Promise.race([work.catch(() => 'done'), 'pending'])) === 'pending';
}

test('the proxy passes statements and prepared ones', async () => {
  const client = await connect();
  proxy.clear();
  await write(client, 1);
  await write(client, 2);
  expect(proxy.statements).toEqual(Array(2).fill('insert into written values ($1)'));
  expect(await written()).toEqual([1, 2]);
});

test.each([
  ['cut', 'before', []],
  ['cut', 'after', [1]],
] as const)('%s %s the statement', async (kind, at, expected) => {
  const client = await connect();
  const hit = proxy.inject(isWrite, { kind, at });
  await expect(write(client, 1)).rejects.toThrow();
  expect(await hit).toContain('insert');
  await expect.poll(written).toEqual(expected);
});

test.each([
  ['before', []],
  ['after', [1]],
] as const)('the proxy hangs %s the statement, others pass', async (at, expected) => {
  const client = await connect();
  void proxy.inject(isWrite, { kind: 'hang', at });
  const work = write(client, 1);
  expect(await isPending(work)).toBe(true);
  await expect.poll(written).toEqual(expected);
  expect((await (await connect()).query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  proxy.release();
});

test('a half-open transaction keeps its locks until released', async () => {
  await db.execute('insert into written values (7)');
  const client = await connect();
  await client.query('begin');
  await client.query('select from written for update');
  proxy.hang();
  const locked = () => db.query('select n from written for update skip locked');
  expect(await locked()).toEqual([]);
  proxy.release();
  await expect.poll(locked).toEqual([{ n: 7 }]);
});

test('the proxy refuses new connections', async () => {
  proxy.refuse(true);
  await expect(connect()).rejects.toThrow();
  proxy.refuse(false);
  await connect();
});

test('the proxy responds to a TLS request', async () => {
  const client = new pg.Client({ ...proxy.connection, ssl: true });
  client.on('error', () => {});
  await expect(client.connect()).rejects.toThrow('does not support SSL');
});
