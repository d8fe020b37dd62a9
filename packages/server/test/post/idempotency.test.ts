import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openKey } from '../../src/posts/idempotency.ts';
import { sweepIdempotency } from '../../src/upkeep/rows.ts';
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

test('the same key and content give the first answer again, and no second post', async () => {
  const first = await send('a');
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  const again = await send('a');
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.bytes).toEqual(first.bytes);
  expect(await posts()).toBe(1);
  const [used] = await service.db.query('select posts from usage where user_id = $1', [user.userId]);
  expect(used).toEqual({ posts: 1 });
});

test('a replay leaves no file, and needs no post left in the month', async () => {
  await send('a');
  const files = await filesOf(service);
  await service.db.execute('update usage set posts = 1000000 where user_id = $1', [user.userId]);
  expect((await send('a')).status).toBe(200);
  expect((await send('b')).body.code).toBe('plan_limit_reached');
  expect(await filesOf(service)).toEqual(files);
});

test('content is what the fields mean, not how they are written', async () => {
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
] as const)('the same key with %s is refused', async (_, more) => {
  await send('a');
  const { status, body } = await send('a', more);
  expect(`${status} ${body.code}`).toBe('422 idempotency_key_reused');
  expect(await posts()).toBe(1);
});

test('the same key with another video, or for other accounts, is refused', async () => {
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

test('a refused request frees its key', async () => {
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

test('of fifty connections at once with one key one makes a post; the others hear of it, or that it runs', async () => {
  const holder = service.db.another(1);
  const { client, release } = await holder.connect();
  await client.query('begin');
  // The one that is on its way to its post waits here until the others were answered.
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

test('while it runs the key is taken, before anything is read', async () => {
  const headers = { 'idempotency-key': 'a' };
  const slow = beginUpload(service, user.key, { to: [account.id], headers });
  const video = await readFile(await smallVideo());
  await slow.write(video);
  await eventually('the key is taken', async () => (await keys()) > 0);
  const { status, body } = await send('a');
  expect(`${status} ${body.code}`).toBe('409 idempotency_in_progress');
  slow.finish();
  expect((await slow.answer).status).toBe(200);
  expect((await send('a')).headers.get('idempotent-replayed')).toBe('true');
});

/** A clock that is moved by hand. */
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

test('the key of a request that died is free after its lease; one that gives signs of life keeps it', async () => {
  const { db } = service;
  const clock = handClock();
  await openKey(db, user.userId, 'a', clock.every);
  await db.clock.advance(10_000);
  clock.tick();
  await eventually('the lease is longer', async () => {
    const rows = await db.query(
      "select from idempotency where user_id = $1 and lease_until > app_now() + interval '10 s'",
      [user.userId],
    );
    return rows.length === 1;
  });
  await db.clock.advance(10_000);
  expect((await send('a')).body.code).toBe('idempotency_in_progress');
  await db.clock.advance(10_000);
  expect((await send('a')).status).toBe(200);
});

test('whoever lost the lease makes no second post', async () => {
  const headers = { 'idempotency-key': 'a' };
  // What a simulated platform has received is not ours to count.
  const ours = async () => (await filesOf(service)).filter((path) => !path.includes('/sandbox/')).length;
  const files = await ours();
  const slow = beginUpload(service, user.key, { to: [account.id], headers });
  await slow.write(await readFile(await smallVideo()));
  await eventually('the key is taken', async () => (await keys()) > 0);
  await service.db.clock.advance(20_000);
  expect((await send('a')).status).toBe(200);
  slow.finish();
  expect((await slow.answer).body.code).toBe('idempotency_in_progress');
  expect(await posts()).toBe(1);
  // Its scratch file is gone, the other's video and thumbnail are there.
  expect(await ours()).toBe(files + 2);
});

test('after a day the key is free again, swept or not', async () => {
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

test('a replay is told although its scheduled time has passed meanwhile', async () => {
  const at = String((await service.db.clock.now()).getTime() + 60_000);
  const first = await send('a', { fields: [['scheduled', at]] });
  await service.db.clock.advance(600_000);
  const again = await send('a', { fields: [['scheduled', at]] });
  expect(again.body).toEqual(first.body);
});
