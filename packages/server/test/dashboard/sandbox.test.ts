import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tinyMp4 } from '../../../sandbox/test/harness/mp4.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { startPostService } from '../post/world.ts';

let service: TestService;
/** The first user. */
let operator: SessionUser;
beforeAll(async () => {
  service = await startService({ config: { sandbox: true, leastFreeBytes: 0, rateLimit: 'off' } });
  operator = await service.newSession();
});
beforeEach(async () => {
  await operator.post('/operator/sandbox/reset');
});
afterAll(() => service.close());

function phone(
  platform: string,
  username: string,
  caption: string,
  video: Uint8Array = tinyMp4(),
  audience = 'public',
) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ platform, username, caption, audience })) form.set(name, value);
  form.set('video', new Blob([new Uint8Array(video)]), 'clip.mp4');
  return operator.call('POST', '/operator/sandbox/phone', { body: form });
}

const posts = async (query: Record<string, string | number> = {}) =>
  (await operator.get('/operator/sandbox/posts', query)).body;
const captions = async (query: Record<string, string | number> = {}) =>
  (await posts(query)).data.map(({ text }: { text: string }) => text);

test('a post from the phone is shown and plays', async () => {
  const { status, body } = await phone('mastodon', 'nora', 'Hello');
  expect(status).toBe(200);
  const [post] = (await posts()).data;
  expect(post).toMatchObject({ platform: 'mastodon', username: 'nora', id: body.data.id });
  const video = await fetch(service.url + post.video, { headers: { range: 'bytes=0-9' } });
  expect(video.status).toBe(206);
});

test('posts are filtered by platform and account, in pages', async () => {
  for (const [platform, username] of [
    ['mastodon', 'nora'],
    ['mastodon', 'ole'],
    ['pinterest', 'nora'],
  ] as const)
    expect((await phone(platform, username, `${platform} ${username}`)).status).toBe(200);
  expect(await captions()).toHaveLength(3);
  expect(await captions({ platform: 'pinterest' })).toEqual([expect.stringContaining('pinterest nora')]);
  expect(await captions({ platform: 'mastodon', username: 'ole' })).toHaveLength(1);
  const first = await posts({ limit: 2 });
  const second = await posts({ limit: 2, cursor: first.next });
  expect([first.data.length, second.data.length, second.next]).toEqual([2, 1, null]);
  expect(await operator.get('/operator/sandbox/posts', { cursor: '1;2' })).toMatchObject({ status: 400 });
});

test('many posts are listed newest first, page by page', async () => {
  const expected = Array.from({ length: 12 }, (_, at) => `Post ${at}`);
  for (const caption of expected) await phone('mastodon', 'nora', caption);
  const listed: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, next } = await posts({ limit: 5, ...(cursor && { cursor }) });
    listed.push(...data.map(({ text }: { text: string }) => text));
    cursor = next;
  }
  expect(listed.reverse()).toEqual(expected);
});

test('the phone knows accounts by the names that Reelay shows', async () => {
  const user = await service.newSession();
  const { data } = (await user.post('/accounts/connect-sandbox')).body;
  const name = data.find(({ platform }: { platform: string }) => platform === 'tiktok').username;
  for (const { platform, username } of data) {
    for (const given of [name, username]) {
      const { status, body } = await phone(platform, given, given);
      expect([platform, given, status, body.message]).toEqual([platform, given, 200, undefined]);
    }
    const [second, first] = (await posts({ limit: 2 })).data;
    expect([platform, second.username]).toEqual([platform, first.username]);
  }
});

test('a limited audience is posted or refused on every platform', async () => {
  const { platforms } = (await operator.get('/operator/sandbox')).body.data;
  const refused: Record<string, string> = {};
  for (const platform of platforms) {
    const { status, body } = await phone(platform, 'nora', '', tinyMp4(), 'limited');
    if (status !== 200) refused[platform] = `${status} ${body.message}`;
  }
  expect(refused).toEqual({ bluesky: '400 Every post on Bluesky is public.' });
});

test('the phone says what is wrong with a form', async () => {
  expect(await phone('mastodon', 'nora', '', new Uint8Array(10))).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', message: 'The file is not an MP4 or QuickTime video.' },
  });
  expect(await phone('nowhere', 'nora', '')).toMatchObject({ status: 400 });
  expect(await phone('mastodon', 'a\0b', '')).toMatchObject({ status: 400 });
  expect(await phone('mastodon', 'nora', 'a\0b')).toMatchObject({ status: 400 });
  expect(await captions()).toEqual([]);
});

describe('faults', () => {
  const set = (faults: unknown) => operator.call('PUT', '/operator/sandbox/faults', { json: { faults } });
  const status = async () => (await fetch(`${service.url}/sandbox/mastodon/api/v1/instance`)).status;
  const serverError = { platform: 'mastodon', kind: 'server-error', share: 1 };

  test('apply to the platform until they are switched off', async () => {
    expect(await status()).toBe(200);
    expect((await set([serverError])).body.data).toEqual([serverError]);
    expect(await status()).toBeGreaterThanOrEqual(500);
    expect((await operator.get('/operator/sandbox')).body.data.faults).toEqual([serverError]);
    expect((await set([])).body.data).toEqual([]);
    expect(await status()).toBe(200);
  });

  test('a share of 0 hits no request', async () => {
    await set([{ ...serverError, share: 0 }]);
    expect(await status()).toBe(200);
  });

  test('unknown kinds and platforms are refused', async () => {
    for (const wrong of [{ kind: 'fire' }, { platform: 'nowhere' }, { share: 2 }])
      expect(await set([{ ...serverError, ...wrong }])).toMatchObject({ status: 400 });
  });

  test('a reset switches them off', async () => {
    await set([serverError]);
    await operator.post('/operator/sandbox/reset');
    expect(await status()).toBe(200);
  });
});

test('a reset deletes posts, accounts and videos', async () => {
  await phone('mastodon', 'nora', 'Hello');
  expect((await operator.get('/operator/storage')).body.data.stored).toContainEqual(
    expect.objectContaining({ kind: 'sandbox', bytes: tinyMp4().length }),
  );
  expect((await operator.post('/operator/sandbox/reset')).status).toBe(200);
  expect(await captions()).toEqual([]);
  const folder = join(service.context.config.storageFolder, 'sandbox');
  expect(await readdir(folder).catch(() => [])).toEqual([]);
  expect((await phone('mastodon', 'nora', 'Again')).status).toBe(200);
});

test('a service without the sandbox reports it', async () => {
  const without = await startPostService();
  try {
    const first = await without.newSession();
    expect(await first.get('/operator/sandbox')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await first.post('/operator/sandbox/reset')).toMatchObject({ status: 404 });
  } finally {
    await without.close();
  }
});
