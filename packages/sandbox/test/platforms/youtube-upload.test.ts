import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/json.ts';
import { at } from '../../src/json.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { GRANULE, sha256, startYouTube } from './youtube-calls.ts';

const start = closedAfterTest(startYouTube);

describe('start of an upload', () => {
  test('returns a session URI, and nothing is on the channel', async () => {
    const youtube = await start();
    const response = await youtube.start(await youtube.token(), 1_000, { headers: { slug: 'a-job.mp4' } });
    expect([response.status, response.text]).toEqual([200, '']);
    expect(youtube.uriOf(response)).toMatch(
      /^http.*\/upload\/youtube\/v3\/videos\?uploadType=resumable&upload_id=\S+$/,
    );
    expect(await youtube.store.list('video', { limit: 10 })).toEqual([]);
    expect(await youtube.published()).toEqual([]);
  });

  const emoji = '😀';
  test.for<[string, JsonObject]>([
    ['invalidTitle', { title: '' }],
    ['invalidTitle', { title: '   ' }],
    ['invalidTitle', { title: 'x'.repeat(101) }],
    ['invalidTitle', { title: emoji.repeat(51) }],
    ['invalidTitle', { title: 'a < b' }],
    ['invalidTitle', { title: 'a > b' }],
    ['invalidTitle', { title: 7 }],
    ['invalidDescription', { description: 'x'.repeat(5_001) }],
    ['invalidDescription', { description: emoji.repeat(1_251) }],
    ['invalidDescription', { description: '<3' }],
    ['invalidDescription', { description: null }],
    ['invalidTags', { tags: ['x'.repeat(501)] }],
    ['invalidTags', { tags: ['x'.repeat(250), 'y'.repeat(250)] }],
    ['invalidTags', { tags: [`${'x'.repeat(250)} ${'y'.repeat(248)}`] }],
    ['invalidTags', { tags: ['a<b'] }],
    ['invalidTags', { tags: [''] }],
    ['invalidTags', { tags: 'a,b' }],
    ['invalidCategoryId', { categoryId: '999' }],
    ['invalidCategoryId', { categoryId: 22 }],
    ['badRequest', { hashtags: ['a'] }],
  ])('rejects with %s the snippet %j', async ([reason, snippet]) => {
    const youtube = await start();
    const response = await youtube.start(await youtube.token(), 1_000, { snippet });
    expect([response.status, response.reason]).toEqual([400, reason]);
    expect(at(response.json, 'error', 'code')).toBe(400);
  });

  test.for<[string, JsonObject]>([
    ['invalidVideoMetadata', { privacyStatus: 'friends' }],
    ['invalidVideoMetadata', { license: 'mine' }],
    ['invalidVideoMetadata', { selfDeclaredMadeForKids: 'no' }],
    ['invalidVideoMetadata', { containsSyntheticMedia: 1 }],
    ['invalidPublishAt', { publishAt: '2030-01-01T00:00:00Z' }],
    ['invalidPublishAt', { privacyStatus: 'private', publishAt: '2020-01-01T00:00:00Z' }],
    ['invalidPublishAt', { privacyStatus: 'private', publishAt: 'tomorrow' }],
    ['badRequest', { madeForKids: false }],
  ])('rejects with %s the status %j', async ([reason, status]) => {
    const youtube = await start();
    const response = await youtube.start(await youtube.token(), 1_000, { status });
    expect([response.status, response.reason]).toEqual([400, reason]);
  });

  test('accepts texts at the limits and a scheduled private video', async () => {
    const youtube = await start();
    const token = await youtube.token();
    const snippet = {
      title: 'x'.repeat(100),
      description: emoji.repeat(1_250),
      tags: ['x'.repeat(250), 'y'.repeat(249)],
      categoryId: '10',
    };
    const status = { privacyStatus: 'private', publishAt: '2030-01-01T00:00:00Z', selfDeclaredMadeForKids: false };
    expect((await youtube.start(token, 1_000, { snippet, status })).status).toBe(200);
    expect((await youtube.start(token, 1_000, { json: { snippet: { title: 'only a title' } } })).status).toBe(200);
  });

  test.for<[string, string, Parameters<typeof askedWith>[0]]>([
    ['no length', 'badRequest', { headers: { 'x-upload-content-length': '' } }],
    ['a length that is no number', 'badRequest', { headers: { 'x-upload-content-length': 'many' } }],
    ['more than 256 GiB', 'badRequest', { headers: { 'x-upload-content-length': '274877906945' } }],
    ['an empty file', 'mediaBodyRequired', { headers: { 'x-upload-content-length': '0' } }],
    ['another type', 'badRequest', { headers: { 'x-upload-content-type': 'text/plain' } }],
    ['no type', 'badRequest', { headers: { 'x-upload-content-type': '' } }],
    ['a file name with a slash', 'invalidFilename', { headers: { slug: 'a/b.mp4' } }],
    ['another content type', 'badRequest', { headers: { 'content-type': 'text/plain' } }],
    ['another charset', 'badRequest', { headers: { 'content-type': 'application/json; charset=UTF-16' } }],
    ['an unknown kind of upload', 'badRequest', { query: { uploadType: 'simple' } }],
    ['JSON without the video', 'badRequest', { query: { uploadType: 'multipart' } }],
    ['no part', 'badRequest', { query: { part: '' } }],
    ['an unknown part', 'badRequest', { query: { part: 'snippet,status,body' } }],
    ['a part that is sent and not named', 'badRequest', { query: { part: 'snippet' } }],
    ['an unknown parameter', 'badRequest', { query: { notify: 'true' } }],
    ['notifySubscribers that is neither', 'badRequest', { query: { notifySubscribers: 'maybe' } }],
    ['a body that is a list', 'badRequest', { json: [] }],
    ['a snippet that is text', 'badRequest', { json: { snippet: 'title' } }],
    ['a body without title', 'invalidTitle', { json: { status: { privacyStatus: 'public' } } }],
  ])('rejects %s', async ([, reason, changes]) => {
    const response = await askedWith(changes);
    expect([response.status, response.reason]).toEqual([400, reason]);
  });

  async function askedWith(changes: Parameters<Awaited<ReturnType<typeof start>>['start']>[2]) {
    const youtube = await start();
    return youtube.start(await youtube.token(), 1_000, changes);
  }

  test.for([
    ['a channel that is suspended', { suspended: true }, 403, 'channelSuspended'],
    ['a Google account without channel', { hasChannel: false }, 401, 'youtubeSignupRequired'],
    ['a channel that has uploaded enough', { uploadsLeft: 0 }, 400, 'uploadLimitExceeded'],
  ] as const)('rejects %s', async ([, changes, status, reason]) => {
    const youtube = await start();
    const token = await youtube.token();
    await youtube.changeAccount(changes);
    const response = await youtube.start(token, 1_000);
    expect([response.status, response.reason]).toEqual([status, reason]);
  });

  test('rejects a project with the API disabled', async () => {
    const youtube = await start();
    await youtube.set({ enabled: false });
    const response = await youtube.start(await youtube.token(), 1_000);
    expect([response.status, response.reason]).toEqual([403, 'accessNotConfigured']);
  });

  test('requires the upload scope and a valid token', async () => {
    const youtube = await start();
    const reader = await youtube.token('nora.cuts', ['https://www.googleapis.com/auth/youtube.readonly']);
    const denied = await youtube.start(reader, 1_000);
    expect([denied.status, denied.reason]).toEqual([403, 'insufficientPermissions']);
    expect(at(denied.json, 'error', 'details', 0, 'reason')).toBe('ACCESS_TOKEN_SCOPE_INSUFFICIENT');
    const stranger = await youtube.start('ya29.nobody', 1_000);
    expect([stranger.status, stranger.reason]).toEqual([401, 'authError']);
    expect(at(stranger.json, 'error', 'status')).toBe('UNAUTHENTICATED');
    const token = await youtube.token();
    youtube.clock.now += 3_599_000;
    expect((await youtube.start(token, 1_000)).status).toBe(401);
  });
});

describe('bytes', () => {
  const SIZE = 2 * GRANULE + 1_000;
  const video = randomBytes(SIZE);

  async function begun(settings: Parameters<Awaited<ReturnType<typeof start>>['set']>[0] = {}) {
    const youtube = await start();
    await youtube.set(settings);
    const token = await youtube.token();
    const uri = youtube.uriOf(await youtube.start(token, SIZE, { snippet: { description: 'words' } }));
    const put = (first: number, last: number, headers: Record<string, string> = {}) =>
      youtube.put(uri, video.subarray(first, last + 1), first, SIZE, headers);
    /** The `Range` header of a status query. */
    const kept = async () => (await youtube.ask(uri, SIZE)).headers.get('range');
    return { youtube, token, uri, put, kept };
  }

  test('parts return 308 with the range, the last the video', async () => {
    const { youtube, uri, put, kept } = await begun();
    expect(await kept()).toBeNull();
    const first = await put(0, GRANULE - 1);
    expect([first.status, first.headers.get('range'), first.text]).toEqual([308, `bytes=0-${GRANULE - 1}`, '']);
    expect((await put(GRANULE, 2 * GRANULE - 1)).headers.get('range')).toBe(`bytes=0-${2 * GRANULE - 1}`);
    expect(await kept()).toBe(`bytes=0-${2 * GRANULE - 1}`);
    expect(await youtube.published()).toEqual([]);
    const last = await put(2 * GRANULE, SIZE - 1);
    expect(last.status).toBe(201);
    expect(last.json).toMatchObject({
      kind: 'youtube#video',
      id: expect.stringMatching(/^[\w-]{11}$/),
      snippet: { title: 'A title', description: 'words', channelTitle: 'nora.cuts' },
      status: { privacyStatus: 'public', license: 'youtube', embeddable: true },
    });
    const [entry, ...more] = await youtube.published();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ id: last.json.id, username: 'nora.cuts', text: 'words', mime: 'video/mp4' });
    expect(entry && (await isWholeUpload(youtube, entry, { bytes: SIZE, sha256: sha256(video) }))).toBe(true);
    const again = await youtube.ask(uri, SIZE);
    expect([again.status, again.json.id]).toEqual([200, last.json.id]);
    expect(await youtube.published()).toHaveLength(1);
  });

  test('may be sent at once without a range', async () => {
    const { youtube, uri } = await begun();
    const headers = { 'content-type': 'video/mp4' };
    expect((await youtube.call('PUT', uri, { body: video.subarray(1), headers })).status).toBe(400);
    expect((await youtube.call('PUT', uri, { body: video, headers })).status).toBe(201);
  });

  test('resume where only half was stored', async () => {
    const { youtube, put } = await begun({ keepsHalf: true });
    const first = await put(0, 2 * GRANULE - 1);
    expect(first.headers.get('range')).toBe(`bytes=0-${GRANULE - 1}`);
    const second = await put(GRANULE, SIZE - 1);
    expect([second.status, second.headers.get('range')]).toEqual([308, `bytes=0-${2 * GRANULE - 1}`]);
    expect((await put(2 * GRANULE, SIZE - 1)).status).toBe(201);
    expect((await youtube.published())[0]?.sha256).toBe(sha256(video));
  });

  test.for<[string, number, number, Record<string, string>]>([
    ['a part that is no multiple of 256 KiB', 0, GRANULE, {}],
    ['a part that is too early', GRANULE, 2 * GRANULE - 1, {}],
    ['a range without total', 0, GRANULE - 1, { 'content-range': `bytes 0-${GRANULE - 1}/*` }],
    ['another total', 0, GRANULE - 1, { 'content-range': `bytes 0-${GRANULE - 1}/${SIZE + 1}` }],
    ['a range of another length', 0, GRANULE - 1, { 'content-range': `bytes 0-${2 * GRANULE - 1}/${SIZE}` }],
    ['a range turned around', 0, GRANULE - 1, { 'content-range': `bytes ${GRANULE}-0/${SIZE}` }],
    ['a range of another unit', 0, GRANULE - 1, { 'content-range': `octets 0-${GRANULE - 1}/${SIZE}` }],
    ['another type', 0, GRANULE - 1, { 'content-type': 'video/webm' }],
  ])('reject %s with 400', async ([, first, last, headers]) => {
    const { put, kept } = await begun();
    expect((await put(first, last, headers)).status).toBe(400);
    expect(await kept()).toBeNull();
  });

  test('that repeat or follow the end change nothing', async () => {
    const { youtube, put, kept } = await begun();
    await put(0, 2 * GRANULE - 1);
    expect((await put(0, GRANULE - 1)).status).toBe(400);
    expect(await kept()).toBe(`bytes=0-${2 * GRANULE - 1}`);
    await put(2 * GRANULE, SIZE - 1);
    expect((await put(2 * GRANULE, SIZE - 1)).status).toBe(400);
    expect(await youtube.published()).toHaveLength(1);
  });

  test('sent twice concurrently are stored once', async () => {
    const { youtube, put } = await begun();
    await put(0, 2 * GRANULE - 1);
    const responses = await Promise.all([put(2 * GRANULE, SIZE - 1), put(2 * GRANULE, SIZE - 1)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(await youtube.published()).toHaveLength(1);
  });

  test('are queried with the right total and no body', async () => {
    const { youtube, uri } = await begun();
    expect((await youtube.ask(uri, SIZE + 1)).status).toBe(400);
    const headers = { 'content-range': `bytes */${SIZE}`, 'content-type': 'video/mp4' };
    expect((await youtube.call('PUT', uri, { body: Buffer.from('x'), headers })).status).toBe(400);
  });

  test.for([404, 410] as const)('of an expired session return %i', async (goneStatus) => {
    const { youtube, uri, put } = await begun({ goneStatus });
    youtube.clock.now += 7 * 86_400_000;
    expect((await put(0, GRANULE - 1)).status).toBe(goneStatus);
    expect((await youtube.ask(uri, SIZE)).status).toBe(goneStatus);
    expect((await youtube.ask(`${uri}x`, SIZE)).status).toBe(goneStatus);
  });

  test('need no token, but reject invalid or foreign ones', async () => {
    const { youtube, token, put, kept } = await begun();
    const by = (who: string) => ({ authorization: `Bearer ${who}` });
    expect((await put(0, GRANULE - 1, by('ya29.dead'))).status).toBe(401);
    expect((await put(0, GRANULE - 1, by(await youtube.token('ida')))).status).toBe(403);
    expect(await kept()).toBeNull();
    expect((await put(0, GRANULE - 1, by(token))).status).toBe(308);
  });

  test('of an unaudited project are locked to private', async () => {
    const youtube = await start();
    await youtube.set({ audited: false });
    const token = await youtube.token();
    const id = await youtube.upload(token, { status: { privacyStatus: 'public' } });
    const { json } = await youtube.list('videos', token, { part: 'status', id });
    expect(at(json, 'items', 0, 'status', 'privacyStatus')).toBe('private');
  });
});

describe('upload in one request', () => {
  const video = randomBytes(3 * GRANULE);
  const JSON_PART = JSON.stringify({ snippet: { title: 'At once', description: 'words' } });
  const related = (parts: readonly (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
  const whole = related([
    `--xx\r\ncontent-type: application/json\r\n\r\n${JSON_PART}\r\n`,
    '--xx\r\nContent-Type: video/mp4\r\n\r\n',
    video,
    '\r\n--xx--',
  ]);

  async function insert(body: Buffer, query: Record<string, string>, type = 'multipart/related; boundary=xx') {
    const youtube = await start();
    const asked = new URLSearchParams({ part: 'snippet', ...query });
    const path = `/upload/youtube/v3/videos?${asked}`;
    const options = { token: await youtube.token(), body, headers: { 'content-type': type } };
    return { youtube, response: await youtube.call('POST', path, options) };
  }

  test('as multipart publishes metadata and video', async () => {
    const { youtube, response } = await insert(whole, { uploadType: 'multipart' });
    expect([response.status, at(response.json, 'snippet', 'title')]).toEqual([200, 'At once']);
    const [entry, ...more] = await youtube.published();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ id: response.json.id, text: 'words', sha256: sha256(video), mime: 'video/mp4' });
  });

  test('as media publishes an untitled video', async () => {
    const { youtube, response } = await insert(video, { uploadType: 'media' }, 'video/mp4');
    expect([response.status, at(response.json, 'snippet', 'title')]).toEqual([200, 'unknown']);
    expect((await youtube.published()).map((entry) => entry.sha256)).toEqual([sha256(video)]);
  });

  test.for<[string, Buffer, string, string?]>([
    ['a body that breaks off', whole.subarray(0, -4), 'badRequest'],
    ['a body of one part', related([`--xx\r\n\r\n${JSON_PART}\r\n--xx--`]), 'badRequest'],
    ['a form', whole, 'badRequest', 'multipart/form-data; boundary=xx'],
    ['another type of file', related([whole.toString('latin1').replace('video/mp4', 'text/plain')]), 'badRequest'],
    ['a title that is too long', related([whole.toString('latin1').replace('At', 'x'.repeat(101))]), 'invalidTitle'],
  ])('rejects %s and keeps nothing', async ([, body, reason, type]) => {
    const { youtube, response } = await insert(body, { uploadType: 'multipart' }, type);
    expect([response.status, response.reason]).toEqual([400, reason]);
    expect(await youtube.published()).toEqual([]);
    expect(await youtube.store.list('session', { limit: 10 })).toEqual([]);
  });
});

describe('session without a stated size', () => {
  test('learns it from the last part', async () => {
    const youtube = await start();
    const video = randomBytes(GRANULE + 10);
    const asked = new URLSearchParams({ uploadType: 'resumable', part: 'snippet' });
    const uri = youtube.uriOf(
      await youtube.call('POST', `/upload/youtube/v3/videos?${asked}`, {
        token: await youtube.token(),
        json: { snippet: { title: 'A title' } },
        headers: { 'x-upload-content-type': 'video/mp4', 'content-type': 'application/json' },
      }),
    );
    const put = (body: Buffer, range: string) =>
      youtube.call('PUT', uri, { body, headers: { 'content-range': range } });
    expect((await put(video.subarray(0, GRANULE), `bytes 0-${GRANULE - 1}/*`)).status).toBe(308);
    const query = await youtube.call('PUT', uri, { headers: { 'content-length': '0', 'content-range': 'bytes */*' } });
    expect(query.headers.get('range')).toBe(`bytes=0-${GRANULE - 1}`);
    expect((await put(video.subarray(GRANULE), `bytes ${GRANULE}-${GRANULE + 9}/${GRANULE + 10}`)).status).toBe(201);
    expect((await youtube.published()).map((entry) => entry.sha256)).toEqual([sha256(video)]);
  });
});
