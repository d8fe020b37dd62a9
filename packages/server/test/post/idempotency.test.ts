import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sweepIdempotency } from '../../src/maintenance/rows.ts';
import { openKey } from '../../src/posts/idempotency.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { addReadyAccount, beginUpload, eventually, filesOf, sendPost, smallVideo, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
let account: { id: string };
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId);
});
afterAll(() => service.close());

const posts = async () => (await user.get('/post/history')).body.total as number;
const keys = async () => (await service.db.query('select from idempotency where user_id = $1', [user.userId])).length;
const send = (key: string, more: Parameters<typeof sendPost>[1] = {}) =>
  sendPost(user, { to: [account.id], headers: { 'idempotency-key': key }, ...more });

test('the same key and content replay the first response', async () => {
  const first = await send('a');
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  const again = await send('a');
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.bytes).toEqual(first.bytes);
  expect(await posts()).toBe(1);
  const [used] = await service.db.query('select posts from usage where user_id = $1', [user.userId]);
  expect(used).toEqual({ posts: 1 });
});

test('a replay after canceling posts nothing', async () => {
  const at = String((await service.db.clock.now()).getTime() + 3_600_000);
  const first = await send('a', { fields: [['scheduled', at]] });
  const { historyId } = first.body;
  expect((await user.get('/post/cancelSchedule', { id: historyId })).status).toBe(200);
  const again = await send('a', { fields: [['scheduled', at]] });
  expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([200, 'true', first.body]);
  expect((await user.get(`/post/${historyId}`)).body.code).toBe('unknown_post');
  expect(await posts()).toBe(0);
});

test('a replay leaves no file and needs no plan', async () => {
  await send('a');
  const files = await filesOf(service);
  await service.db.execute('update usage set posts = 1000000 where user_id = $1', [user.userId]);
  expect((await send('a')).status).toBe(200);
  expect((await send('b')).body.code).toBe('plan_limit_reached');
  expect(await filesOf(service)).toEqual(files);
});

test('content is compared by meaning, not by spelling', async () => {
  await send('a', { fields: [['previewTime', '0']] });
  const fields = [
    ['description', ''],
    ['previewTime', '0.00'],
    ['platforms', account.id],
  ] as const;
  const again = await send('a', { to: undefined, fields, videoFirst: true, filename: 'other.mov' });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});

test.each([
  ['another text', { fields: [['description', 'x']] }],
  ['another preview', { fields: [['previewTime', '1']] }],
  ['another time', { fields: [['scheduled', '4102444800000']] }],
  ['another shape', { fields: [['fit', 'pad']] }],
] as const)('the same key with %s is rejected', async (_, more) => {
  await send('a');
  const { status, body } = await send('a', more);
  expect(`${status} ${body.code}`).toBe('422 idempotency_key_reused');
  expect(await posts()).toBe(1);
});

test('the same key with another video or accounts is rejected', async () => {
  const other = await addReadyAccount(service.db, user.userId);
  await send('a');
  expect((await send('a', { video: await makeVideo({ seed: 1 }) })).body.code).toBe('idempotency_key_reused');
  expect((await send('a', { to: [account.id, other.id] })).body.code).toBe('idempotency_key_reused');
});

test('two users may use the same key', async () => {
  const first = await send('a');
  const other = await service.newUser();
  const own = await addReadyAccount(service.db, other.userId);
  const second = await sendPost(other, { to: [own.id], headers: { 'idempotency-key': 'a' } });
  expect(second.status).toBe(200);
  expect(second.body.historyId).not.toBe(first.body.historyId);
});

test('a rejected request releases its key', async () => {
  expect((await send('a', { fields: [['fit', 'x']] })).status).toBe(400);
  const { status, headers } = await send('a');
  expect(status).toBe(200);
  expect(headers.get('idempotent-replayed')).toBeNull();
});

test('a key has 1 to 255 characters', async () => {
  expect((await send('')).body.code).toBe('invalid_request');
  expect((await send('x'.repeat(256))).body.code).toBe('invalid_request');
  expect((await send('x'.repeat(255))).status).toBe(200);
});

test('one of fifty concurrent requests with a key posts', async () => {
  const holder = service.db.another(1);
  const { client, release } = await holder.connect();
  await client.query('begin');
  // The request that is about to create its post waits here until the others have their response.
  await client.query('lock table post in share mode');
  const codes: string[] = [];
  const sending = Array.from({ length: 50 }, async () => {
    const { status, body, headers } = await send('a');
    codes.push(status === 200 ? (headers.get('idempotent-replayed') ? 'replayed' : 'made') : body.code);
  });
  try {
    await eventually('all but one were answered', async () => codes.length >= 49);
  } finally {
    await client.query('rollback');
    release();
  }
  await Promise.all(sending);
  expect(codes).toEqual([...Array.from({ length: 49 }, () => 'idempotency_in_progress'), 'made']);
  expect((await send('a')).headers.get('idempotent-replayed')).toBe('true');
  expect(await posts()).toBe(1);
});

test('a running request holds the key before reading anything', async () => {
  const headers = { 'idempotency-key': 'a' };
  const slow = beginUpload(service, user.key, { to: [account.id], headers });
  const video = await readFile(await smallVideo());
  await slow.write(video);
  await eventually('the key is taken', async () => (await keys()) > 0);
  const { status, body } = await send('a');
  expect(`${status} ${body.code}`).toBe('409 idempotency_in_progress');
  slow.finish();
  expect((await slow.response).status).toBe(200);
  expect((await send('a')).headers.get('idempotent-replayed')).toBe('true');
});

/** A clock that is advanced manually. */
function handClock() {
  const ticks: (() => void)[] = [];
  return {
    every(_: number, tick: () => void) {
      ticks.push(tick);
      return () => {};
    },
    tick() {
      for (const each of ticks) each();
    },
  };
}

test('a dead request’s key is released after its lease', async () => {
  const { db } = service;
  const clock = handClock();
  await openKey(db, user.userId, 'a', clock.every);
  await db.clock.advance(8_000);
  clock.tick();
  await eventually('the lease is longer', async () => {
    const rows = await db.query(
      "select from idempotency where user_id = $1 and lease_until > app_now() + interval '10 s'",
      [user.userId],
    );
    return rows.length === 1;
  });
  await db.clock.advance(8_000);
  expect((await send('a')).body.code).toBe('idempotency_in_progress');
  await db.clock.advance(8_000);
  expect((await send('a')).status).toBe(200);
});

test('a request that lost its lease creates no second post', async () => {
  const headers = { 'idempotency-key': 'a' };
  // Files that simulated platforms received do not count.
  const ours = async () => (await filesOf(service)).filter((path) => !path.includes('/sandbox/')).length;
  const files = await ours();
  const slow = beginUpload(service, user.key, { to: [account.id], headers });
  await slow.write(await readFile(await smallVideo()));
  await eventually('the key is taken', async () => (await keys()) > 0);
  await service.db.clock.advance(20_000);
  expect((await send('a')).status).toBe(200);
  slow.finish();
  expect((await slow.response).body.code).toBe('idempotency_in_progress');
  expect(await posts()).toBe(1);
  // Its scratch file is deleted; the other request's video and thumbnail exist.
  expect(await ours()).toBe(files + 2);
});

test('a key is released after a day, even without sweep', async () => {
  await send('a');
  await service.db.clock.advance(86_400_000 + 1_000);
  expect((await send('a')).headers.get('idempotent-replayed')).toBeNull();
  expect(await posts()).toBe(2);
  await service.db.clock.advance(86_400_000 + 1_000);
  const count = async () =>
    (await service.db.query('select from idempotency where user_id = $1', [user.userId])).length;
  expect(await count()).toBe(1);
  await sweepIdempotency(service.db);
  expect(await count()).toBe(0);
});

test('a replay succeeds after its scheduled time has passed', async () => {
  const at = String((await service.db.clock.now()).getTime() + 60_000);
  const first = await send('a', { fields: [['scheduled', at]] });
  await service.db.clock.advance(600_000);
  const again = await send('a', { fields: [['scheduled', at]] });
  expect(again.body).toEqual(first.body);
});
