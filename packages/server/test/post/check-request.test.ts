import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { provided } from '../harness/provided.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { begin, idOf, send, withKey } from '../uploads/world.ts';
import { finishedUpload, sendCheck } from './source-world.ts';
import {
  addReadyAccount,
  eventually,
  filesOf,
  formOf,
  remainsOf,
  type SendOptions,
  sendPost,
  smallVideo,
  squareVideo,
  startPostService,
} from './world.ts';

let service: TestService;
let user: TestUser;
beforeAll(async () => {
  // Its own copy, because a test removes the tools.
  service = await startPostService({ overrides: { tools: { ...provided('tools') } } });
});
beforeEach(async () => {
  user = await service.newUser();
});
afterAll(() => service.close());

const add = (platform: string) => addReadyAccount(service.db, user.userId, { platform });
const webm = () => makeVideo({ seconds: 4, width: 360, height: 640, fps: 25, extension: 'webm' });
const codeOf = async (options: SendOptions) => {
  const { status, body } = await sendCheck(user, options);
  return `${status} ${body.code}`;
};

describe('a check', () => {
  test.each<[string, () => Promise<SendOptions>]>([
    ['without a video', async () => ({ video: null })],
    ['with a video that is none', async () => ({ bytes: Buffer.from('no video') })],
    ['too short', async () => ({ video: await makeVideo({ seconds: 2 }) })],
    ['lying down', async () => ({ video: await makeVideo({ width: 320, height: 180 }) })],
    ['with a preview after its end', async () => ({ fields: [['previewTime', '5']] })],
    ['with a shape that is none', async () => ({ fields: [['fit', 'stretch']] })],
    ['for the past', async () => ({ fields: [['scheduled', '1']] })],
    ['too far ahead', async () => ({ fields: [['scheduled', '9999999999999']] })],
    ['with options that are no object', async () => ({ fields: [['options', '[]']] })],
    ['with an upload and a file', async () => ({ fields: [['uploadId', '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b']] })],
    ['with an upload that is not there', async () => ({ video: null, fields: [['uploadId', 'nothing']] })],
    ['with an address that leads nowhere', async () => ({ video: null, fields: [['videoUrl', 'http://x.example']] })],
  ])('%s gets the same response as creating the post', async (_, make) => {
    const { id } = await add('mastodon');
    const options = { to: [id], ...(await make()) };
    const [checked, posted] = [await sendCheck(user, options), await sendPost(user, options)];
    expect(checked.status).toBeGreaterThanOrEqual(400);
    expect({ status: checked.status, ...checked.body }).toEqual({ status: posted.status, ...posted.body });
  });

  test('stores nothing and uses nothing up', async () => {
    const account = await add('telegram');
    const before = await remainsOf(service);
    const files = await filesOf(service);
    const rows = () =>
      service.db.query('select (select count(*) from budget_use) as uses, (select count(*) from rendition) as made');
    const used = await rows();
    expect(await codeOf({ to: [account.id], video: await webm() })).toBe('200 undefined');
    const square = await squareVideo();
    expect(await codeOf({ to: [account.id], video: square, fields: [['fit', 'crop']] })).toBe('200 undefined');
    expect(await codeOf({ to: [account.id], bytes: Buffer.from('no video') })).toMatch(/^400/);
    expect(await remainsOf(service)).toEqual(before);
    expect(await filesOf(service)).toEqual(files);
    expect(await rows()).toEqual(used);
  });

  test('leaves the upload and the idempotency key unused', async () => {
    const { id } = await add('mastodon');
    const source = { to: [id], video: null, headers: { 'idempotency-key': 'same' } } as const;
    const fields = [['uploadId', await finishedUpload(withKey(service, user))]] as const;
    expect(await codeOf({ ...source, fields })).toBe('200 undefined');
    expect(await codeOf({ ...source, fields })).toBe('200 undefined');
    const posted = await sendPost(user, { ...source, fields });
    expect(posted.status).toBe(200);
    expect(posted.headers.get('idempotent-replayed')).toBeNull();
    expect(await codeOf({ ...source, fields })).toBe('409 upload_used');
  });

  test('and the post after it probe the video once', async () => {
    const tools = { ...service.context.media.tools };
    const { id } = await add('mastodon');
    const video = await makeVideo({ seed: 7 });
    expect(await codeOf({ to: [id], video })).toBe('200 undefined');
    const fields = [['uploadId', await finishedUpload(withKey(service, user), video)]] as const;
    try {
      // From now on no program can be started.
      Object.assign(service.context.media.tools, { ffmpeg: '/nonexistent', ffprobe: '/nonexistent' });
      expect((await sendPost(user, { to: [id], video: null, fields })).status).toBe(200);
      expect(await codeOf({ to: [id], video, fields: [['previewTime', '2']] })).toBe('500 internal_error');
    } finally {
      Object.assign(service.context.media.tools, tools);
    }
  });

  test('with another user’s or an unfinished upload is rejected', async () => {
    const { id } = await add('mastodon');
    const stranger = await service.newUser();
    const theirs = [['uploadId', await finishedUpload(withKey(service, stranger))]] as const;
    expect(await codeOf({ to: [id], video: null, fields: theirs })).toBe('404 unknown_upload');
    const bytes = await readFile(await smallVideo());
    const place = await begin(withKey(service, user), bytes.length);
    await send(withKey(service, user), place, 0, bytes.subarray(0, 1_000));
    const unfinished = [['uploadId', idOf(place)]] as const;
    expect(await codeOf({ to: [id], video: null, fields: unfinished })).toBe('409 upload_incomplete');
  });

  test('ends without files when the client disconnects', async () => {
    const { id } = await add('mastodon');
    const before = await filesOf(service);
    const { media } = service.context;
    const started = Promise.withResolvers<void>();
    service.context.media = {
      ...media,
      of: (userId) => ({
        ...media.of(userId),
        checkWithThumbnail(_path, _wanted, { signal }) {
          started.resolve();
          // Like a slow check, ended only by the signal.
          return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
        },
      }),
    };
    try {
      const away = new AbortController();
      const headers = { authorization: `Bearer ${user.key}` };
      const body = await formOf({ fields: [['platforms', id]] });
      const running = fetch(`${service.url}/api/v1/post/check`, { method: 'POST', headers, body, signal: away.signal });
      running.catch(() => {});
      await started.promise;
      away.abort();
      await eventually('the file is gone', async () => (await filesOf(service)).length === before.length);
    } finally {
      service.context.media = media;
    }
  });

  test('counts against the rate limit', async () => {
    const { config } = service.context;
    const { id } = await add('mastodon');
    const remaining = (response: { headers: Headers }) => Number(response.headers.get('ratelimit-remaining'));
    try {
      service.context.config = { ...config, rateLimit: 'per-minute' };
      const before = remaining(await user.get('/post/history'));
      expect(remaining(await sendCheck(user, { to: [id] }))).toBe(before - 1);
    } finally {
      service.context.config = config;
    }
  });

  test('with a session requires the CSRF header', async () => {
    const session = await service.newSession();
    const account = await addReadyAccount(service.db, session.userId, { platform: 'mastodon' });
    const refused = await sendCheck(session.bare, { to: [account.id] });
    expect(`${refused.status} ${refused.body.code}`).toBe('403 csrf_required');
    expect((await sendCheck(session, { to: [account.id] })).status).toBe(200);
    expect((await sendCheck(service.client, { to: [account.id] })).status).toBe(401);
  });
});
