import { expect, test } from 'vitest';
import { asUnavailable, createDatabase, isAway } from '../../src/db/database.ts';
import { createTestDatabase } from '../harness/database.ts';
import { waitingSessions } from '../harness/locks.ts';

const withCode = (code: string, extra = {}) => Object.assign(new Error('x'), { code, ...extra });
const makesUnavailable = (error: unknown) => isAway(asUnavailable(error));

test.each([
  ...['08000', '08006', '25006', '25P03', '28P01', '40001', '40003', '40P01', '53000', '53100', '53200', '53300'],
  ...['55P03', '57014', '57P01', '57P02', '57P03', '57P05', '58000', '58030'],
  ...['EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'],
])('%s is an unavailable database', (code) => {
  expect(makesUnavailable(withCode(code))).toBe(true);
});

test.each(['22021', '22P02', '23505', '25P02', '34000', '42601', '42P01', '57P06', '58P01', 'P0001', 'XX001', ''])(
  '%s is our mistake and unchanged',
  (code) => {
    const error = withCode(code);
    expect(asUnavailable(error)).toBe(error);
  },
);

test('a database is unavailable only without its socket', () => {
  expect(makesUnavailable(withCode('ENOENT', { syscall: 'connect' }))).toBe(true);
  expect(makesUnavailable(withCode('ENOENT', { syscall: 'open' }))).toBe(false);
});

test('a transaction’s own error is not a database error', async () => {
  const db = await createTestDatabase(2);
  const own = withCode('ECONNRESET');
  await expect(
    db.transaction(async () => {
      throw own;
    }),
  ).rejects.toBe(own);
  await db.drop();
});

test('a statement that lost a deadlock runs again', async () => {
  const db = await createTestDatabase(4);
  const hasty = createDatabase({ connection: db.connection, size: 1, settings: { deadlock_timeout: '50ms' } });
  await db.execute('create table pair (id integer primary key, n integer not null)');
  await db.execute('insert into pair values (1, 0), (2, 0), (3, 0)');
  const [{ client, release }, gate] = [await db.connect(), await db.connect()];
  await client.query(`begin; set local deadlock_timeout = '10min'; update pair set n = n + 1 where id = 3`);
  await gate.client.query('begin; select from pair where id = 2 for update');
  const waiting = () => waitingSessions(db);
  // It locks row 1 and waits for row 2. Row 3, which closes the cycle, comes last: the loser is who waits for it.
  const loser = hasty.execute('update pair set n = n + 10 where id in (1, 2, 3)');
  await expect.poll(waiting).toBe(1);
  const winner = client.query('update pair set n = n + 1 where id = 1');
  await expect.poll(waiting).toBe(2);
  await gate.client.query('commit');
  gate.release();
  await winner;
  await client.query('commit');
  release();
  expect(await loser).toBe(3);
  expect(await db.query('select n from pair order by id')).toEqual([{ n: 11 }, { n: 10 }, { n: 11 }]);
  await hasty.close();
  await db.drop();
});
