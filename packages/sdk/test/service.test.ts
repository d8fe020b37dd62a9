import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccount } from '../../server/test/harness/rows.ts';
import { startService, type TestService, type TestUser } from '../../server/test/harness/service.ts';
import { makeVideo } from '../../server/test/media/fixtures.ts';
import { createClient as createUniversal } from '../src/index.ts';
import { createClient, type NodeClient } from '../src/node.ts';

let service: TestService;
let user: TestUser;
let client: NodeClient;
let video: string;
let account: string;
beforeAll(async () => {
  service = await startService();
  user = await service.newUser();
  client = createClient({ baseUrl: service.url, apiKey: user.key });
  video = await makeVideo({ width: 360, height: 640, fps: 24, seed: 83 });
  const { accounts } = service.context;
  const request = { userId: user.userId, platform: 'tiktok', username: 'sdk', privacy: 'public', actor: 'test' };
  account = (await accounts.connectSandbox(request))[0]?.id ?? '';
});
afterAll(() => service.close());

test('the client posts, waits, lists and fetches a thumbnail', async () => {
  const { historyId, result } = await client.posts.create({ video, platforms: [account], description: 'By the SDK' });
  expect(result).toEqual([{ platformId: account, status: 'PENDING' }]);
  const post = await client.posts.waitFor(historyId, { timeoutMs: 40_000 });
  expect(post.result).toMatchObject([{ status: 'SUCCESS', url: expect.stringContaining('/sandbox/tiktok/') }]);
  expect(post.targets[0]?.timeline.length).toBeGreaterThan(2);
  const { data, total } = await client.posts.history();
  expect([data[0]?.id, total]).toEqual([historyId, data.length]);
  const range = { from: Date.parse(post.date), to: new Date(post.date) };
  expect((await client.posts.historyBetween(range)).data.map((entry) => entry.id)).toEqual([historyId]);
  const picture = await client.media(post.filename);
  expect([...new Uint8Array(await picture.slice(0, 3).arrayBuffer())]).toEqual([0xff, 0xd8, 0xff]);
  expect(await client.posts.remove(historyId)).toContain('stays');
  await expect(client.posts.get(historyId)).rejects.toMatchObject({ status: 404, code: 'unknown_post' });
});

test('the client checks a post by file and upload', async () => {
  const checked = await client.posts.check({ video, platforms: [account], description: 'x'.repeat(2_201) });
  expect(checked).not.toHaveProperty('success');
  expect(checked).toMatchObject({
    scheduled: false,
    video: { container: 'mp4', width: 360 },
    result: [{ platformId: account, outcome: 'refused', reasons: [{ code: 'caption_too_long', excess: 1 }] }],
  });
  const uploadId = await client.uploads.send(video);
  const scheduled = Date.now() + 3_600_000;
  const uploaded = { uploadId, platforms: [account], scheduled };
  expect(await client.posts.check(uploaded)).toMatchObject({ scheduled: true, result: [{ outcome: 'fits' }] });
  expect(await client.posts.create(uploaded)).toMatchObject({ scheduled: true });
  await expect(client.posts.check(uploaded)).rejects.toMatchObject({ status: 409, code: 'upload_used' });
});

test('create passes a video URL through, with its rejection', async () => {
  const post = { videoUrl: 'http://example.org/v.mp4', platforms: [account] };
  await expect(client.posts.create(post)).rejects.toMatchObject({ code: 'video_source_refused' });
  await expect(client.posts.check(post)).rejects.toMatchObject({ code: 'video_source_refused' });
});

test('the same key and content twice is one post', async () => {
  const post = { video, platforms: [account], idempotencyKey: 'once', scheduled: Date.now() + 3_600_000 };
  const [first, second] = [await client.posts.create(post), await client.posts.create(post)];
  expect(second).toEqual(first);
  await expect(client.posts.create({ ...post, description: 'other' })).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});

test('concurrent requests with the same key create one post', async () => {
  const post = { video, platforms: [account], idempotencyKey: 'race', scheduled: Date.now() + 3_600_000 };
  const created = await Promise.all([client.posts.create(post), client.posts.create(post)]);
  expect(created[0]).toEqual(created[1]);
});

test('the client edits and cancels a scheduled post', async () => {
  const scheduled = new Date(Date.now() + 7_200_000);
  const { historyId, scheduled: flag } = await client.posts.create({ video, platforms: [account], scheduled });
  expect(flag).toBe(true);
  const later = new Date(scheduled.getTime() + 60_000);
  const edited = await client.posts.edit(historyId, { description: 'Later', scheduled: later });
  expect(edited).toMatchObject({ description: 'Later', date: later.toISOString() });
  await client.posts.cancel(historyId);
  await client.posts.cancel(historyId);
  await expect(client.posts.retry(historyId)).rejects.toMatchObject({ code: 'unknown_post' });
});

test('the client manages rules and accounts', async () => {
  const other = (await addAccount(service.db, user.userId)).id;
  expect((await client.platforms.list()).map((each) => each.id)).toContain(other);
  const id = await client.rules.add({ from: account, to: [other] });
  await client.rules.pause(id);
  expect(await client.rules.list()).toMatchObject([{ id, isPaused: true, from: { id: account }, to: [{ id: other }] }]);
  await client.rules.resume(id);
  await client.rules.remove(id);
  await expect(client.rules.add({ from: account, to: [account] })).rejects.toMatchObject({
    status: 400,
    message: 'Circular dependency',
  });
});

test('a rejected key is reported before a large upload', async () => {
  const stranger = createUniversal({ baseUrl: service.url, apiKey: 'rly_wrong' });
  const piece = new Uint8Array(256 * 1024);
  let left = 256;
  const stream = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) controller.enqueue(piece);
        else controller.close();
      },
    });
  const large = { length: 256 * piece.length, stream };
  await expect(stranger.posts.create({ video: large, platforms: [account] })).rejects.toMatchObject({
    status: 401,
    code: 'unauthorized',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test('describes, replaces and revokes the API key', async () => {
  const { key } = await service.newUser();
  const own = createClient({ baseUrl: service.url, apiKey: key });
  expect(await own.key.info()).toMatchObject({ keyPrefix: key.slice(0, 12), isActive: true });
  const next = await own.key.generate();
  await expect(own.key.info()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  const renewed = createClient({ baseUrl: service.url, apiKey: next });
  await renewed.key.revoke();
  await expect(renewed.platforms.list()).rejects.toMatchObject({ status: 401 });
});
