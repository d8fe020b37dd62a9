import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OPERATIONS, TAGS } from '../../src/app/operations.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { createKeyedSemaphore } from '../../src/lib/semaphore.ts';
import { historyRange } from '../../src/posts/history.ts';
import { presentation } from '../harness/message.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { addHistory, addReadyAccount, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
let account: AccountRow;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId);
});
afterAll(() => service.close());

const DAY = Date.UTC(2026, 7, 1);
const ALL = { from: 0, to: DAY * 2 };
const open = (more: Partial<Parameters<typeof historyRange>[2]> = {}) =>
  historyRange(service.db, user.userId, {
    range: ALL,
    presentation,
    streams: createKeyedSemaphore(),
    signal: new AbortController().signal,
    ...more,
  });
const many = (count: number) =>
  addHistory(
    service.db,
    user.userId,
    account,
    Array.from({ length: count }, (_, at) => ({ at: DAY + at, description: 'x'.repeat(500) })),
  );

test.each([
  ['one end alone', { startTime: 1 }],
  ['the other end alone', { endTime: 1 }],
  ['a page beside', { startTime: 1, endTime: 2, page: 1 }],
  ['ends the wrong way round', { startTime: 2, endTime: 1 }],
  ['no number', { startTime: 'x', endTime: 1 }],
  ['a fraction', { startTime: 0.5, endTime: 1 }],
] as const)('%s is rejected', async (_, query) => {
  expect((await user.get('/post/history', query)).body.code).toBe('invalid_request');
});

test('the documented bounds are those that are accepted', async () => {
  const parameters = openApiDocument(OPERATIONS, { server: '/api/v1', tags: TAGS }).paths['/post/history']?.get
    ?.parameters;
  expect(parameters?.map(({ name }) => name)).toEqual(['page', 'startTime', 'endTime']);
  for (const { name, schema } of parameters ?? []) {
    const { minimum, maximum } = schema as { minimum: number; maximum: number };
    const responseTo = (value: number | string) => {
      const other = { startTime: 'endTime', endTime: 'startTime' }[name];
      const beside = other ? { [other]: other === 'endTime' ? maximum : minimum } : {};
      return user.get('/post/history', { [name]: value, ...beside });
    };
    for (const value of [minimum, maximum])
      expect([name, value, (await responseTo(value)).status]).toEqual([name, value, 200]);
    expect((await responseTo(minimum - 1)).body.message).toContain(`must be at least ${minimum}`);
    expect((await responseTo(maximum + 1)).body.message).toContain(`must be at most ${maximum}`);
    expect((await responseTo('9'.repeat(400))).body.message).toContain(`must be at most ${maximum}`);
  }
});

test('both ends are inclusive and the total matches', async () => {
  await addHistory(service.db, user.userId, account, [{ at: DAY }]);
  // Half a millisecond after the requested end.
  await service.db.execute(`update post set date = date + interval '500 microseconds' where user_id = $1`, [
    user.userId,
  ]);
  const total = async (startTime: number, endTime: number) => {
    const { body } = await user.get('/post/history', { startTime, endTime });
    expect(body.data).toHaveLength(body.total);
    return body.total;
  };
  expect(await total(DAY, DAY)).toBe(1);
  expect(await total(DAY + 1, DAY + 9)).toBe(0);
  expect(await total(DAY - 9, DAY - 1)).toBe(0);
  expect(await total(-999_999_999_999_999, 999_999_999_999_999)).toBe(1);
  expect(await total(-999_999_999_999_999, -1)).toBe(0);
});

test('a range has its entries in page order', async () => {
  const offset = fc.integer({ min: 0, max: 20 });
  await fc.assert(
    fc.asyncProperty(fc.array(offset, { maxLength: 30 }), offset, offset, async (offsets, one, other) => {
      const owner = await service.newUser();
      const own = await addReadyAccount(service.db, owner.userId);
      const ids = await addHistory(
        service.db,
        owner.userId,
        own,
        offsets.map((each) => ({ at: DAY + each })),
      );
      const [first, last] = [Math.min(one, other), Math.max(one, other)];
      const { body } = await owner.get('/post/history', { startTime: DAY + first, endTime: DAY + last });
      const model = ids
        .map((id, index) => ({ id, offset: offsets[index] ?? 0 }))
        .filter((each) => each.offset >= first && each.offset <= last)
        .sort((a, b) => b.offset - a.offset || (a.id < b.id ? 1 : -1))
        .map(({ id }) => id);
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual(model);
      expect(body.total).toBe(model.length);
    }),
    { numRuns: 25 },
  );
});

test('concurrent changes neither repeat nor add entries', async () => {
  const ids = await many(450);
  const stream = await open();
  await once(stream, 'readable');
  await many(5);
  await service.db.execute('delete from post where id = any($1::uuid[])', [ids.slice(0, 100)]);
  const moved = ids.slice(-50);
  await service.db.execute(`update post set date = date - interval '1 day' where id = any($1::uuid[])`, [moved]);
  const { data, total } = JSON.parse(await text(stream));
  expect(total).toBe(350);
  expect(data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(100).toReversed());
});

test('no transaction is held while a client reads', async () => {
  await many(4_000);
  const stream = await open();
  await once(stream, 'readable');
  const held = await service.db.query(
    `select state, query from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and (xact_start is not null or backend_xmin is not null)`,
  );
  expect(held).toEqual([]);
  stream.destroy();
});

test('a paused reader uses little memory', async () => {
  await many(4_000);
  const stream = await open();
  await once(stream, 'readable');
  for (let look = 0; look < 50; look++) await service.db.query('select 1');
  expect(stream.readableLength).toBeLessThan(300_000);
  stream.destroy();
});

test('a stalled reader is disconnected', async () => {
  await many(1_000);
  const streams = createKeyedSemaphore();
  const stream = await open({ streams, patienceMs: 30 });
  const [error] = await once(stream, 'error');
  expect(String(error)).toContain('took nothing for too long');
  expect(JSON.parse(await text(await open({ streams }))).total).toBe(1_000);
});

test('the streams of a user run one after the other', async () => {
  await many(1_000);
  const streams = createKeyedSemaphore();
  const first = await open({ streams });
  const second = open({ streams });
  const gone = new AbortController();
  const third = open({ streams, signal: gone.signal });
  gone.abort();
  await expect(third).rejects.toThrow();
  first.destroy();
  expect(JSON.parse(await text(await second)).total).toBe(1_000);
});

test('a failure midway resets the connection', async () => {
  // More than the buffers between the service and its client hold.
  await many(3_000);
  await service.db.execute(`update post set description = repeat('x', 5000) where user_id = $1`, [user.userId]);
  const request = http.get(`${service.url}/api/v1/post/history?startTime=0&endTime=${DAY * 2}`, {
    headers: { authorization: `Bearer ${user.key}` },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  expect(response.statusCode).toBe(200);
  const cut = once(response, 'error');
  await service.db.execute('alter table target rename to target_away');
  response.resume();
  await cut;
  await service.db.execute('alter table target_away rename to target');
  expect(response.complete).toBe(false);
  expect((await user.get('/post/history')).body.total).toBe(3_000);
});

test('an unavailable database is reported before the first byte', async () => {
  const away = service.db.another(1);
  await away.close();
  const options = {
    range: ALL,
    presentation,
    streams: createKeyedSemaphore(),
    signal: new AbortController().signal,
  };
  await expect(historyRange(away, user.userId, options)).rejects.toMatchObject({ code: 'database_unavailable' });
});

test('a slow reader does not delay other users', async () => {
  await many(1_000);
  const streams = createKeyedSemaphore();
  const slow = await open({ streams });
  const gone = new AbortController();
  const again = open({ streams, signal: gone.signal });
  const other = await service.newUser();
  const range = await historyRange(service.db, other.userId, {
    range: ALL,
    presentation,
    streams,
    signal: new AbortController().signal,
  });
  expect(JSON.parse(await text(range))).toMatchObject({ total: 0 });
  gone.abort();
  await expect(again).rejects.toThrow();
  slow.destroy();
  expect(JSON.parse(await text(await open({ streams }))).total).toBe(1_000);
});
