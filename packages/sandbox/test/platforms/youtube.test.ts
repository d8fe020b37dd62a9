import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { at } from '../../src/json.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { SCOPES, sha256, startYouTube, type YouTube } from './youtube-calls.ts';

const start = closedAfterTest(startYouTube);
const items = (response: { json: unknown }) => (at(response.json, 'items') ?? []) as unknown[];
const idsOf = (response: { json: unknown }) => items(response).map((item) => at(item, 'contentDetails', 'videoId'));

describe('channel', () => {
  test('belongs to the token', async () => {
    const youtube = await start();
    const response = await youtube.list('channels', await youtube.token(), {
      part: 'snippet,contentDetails,status',
      mine: 'true',
    });
    const [channel] = items(response);
    expect(channel).toMatchObject({
      kind: 'youtube#channel',
      id: expect.stringMatching(/^UC[\w-]{22}$/),
      snippet: { title: 'nora.cuts', customUrl: '@nora.cuts' },
      status: { longUploadsStatus: 'allowed' },
    });
    const id = String(at(channel, 'id'));
    expect(at(channel, 'contentDetails', 'relatedPlaylists', 'uploads')).toBe(id.replace('UC', 'UU'));
    const picture = await youtube.call('GET', String(at(channel, 'snippet', 'thumbnails', 'high', 'url')));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  test('list has no items for an account without a channel', async () => {
    const youtube = await start();
    const token = await youtube.token();
    await youtube.changeAccount({ hasChannel: false });
    const { status, json } = await youtube.list('channels', token, { part: 'id', mine: 'true' });
    expect(status).toBe(200);
    expect(json).not.toHaveProperty('items');
  });

  test.for<[string, Record<string, string>]>([
    ['no part', { mine: 'true' }],
    ['an unknown part', { part: 'snippet,secrets', mine: 'true' }],
    ['nobody named', { part: 'id' }],
    ['an unknown parameter', { part: 'id', mine: 'true', forHandel: '@x' }],
  ])('list with %s is rejected', async ([, query]) => {
    const youtube = await start();
    expect((await youtube.list('channels', await youtube.token(), query)).status).toBe(400);
  });

  test('list requires the read scope', async () => {
    const youtube = await start();
    const token = await youtube.token('nora.cuts', ['https://www.googleapis.com/auth/youtube.upload']);
    const response = await youtube.list('channels', token, { part: 'id', mine: 'true' });
    expect([response.status, response.reason]).toEqual([403, 'insufficientPermissions']);
  });
});

describe('videos by id', () => {
  const status = async (youtube: YouTube, token: string, id: string) =>
    at((await youtube.list('videos', token, { part: 'status', id })).json, 'items', 0, 'status');

  test('are processed after the upload, then have file details', async () => {
    const youtube = await start({ processingMs: 2_000 });
    const token = await youtube.token();
    const id = await youtube.upload(token, { headers: { slug: 'a-job.mp4' } });
    const part = 'status,processingDetails,fileDetails';
    const [early] = items(await youtube.list('videos', token, { part, id }));
    expect(early).toMatchObject({
      status: { uploadStatus: 'uploaded' },
      processingDetails: { processingStatus: 'processing', fileDetailsAvailability: 'inProgress' },
      fileDetails: {},
    });
    youtube.clock.now += 2_000;
    const [late] = items(await youtube.list('videos', token, { part, id }));
    expect(late).toMatchObject({
      status: { uploadStatus: 'processed', privacyStatus: 'public' },
      processingDetails: { processingStatus: 'succeeded', fileDetailsAvailability: 'available' },
      fileDetails: { fileName: 'a-job.mp4', fileSize: '1000' },
    });
    expect((await youtube.call('GET', `/watch?v=${id}`)).status).toBe(200);
    expect((await youtube.call('GET', `/shorts/${id}`)).status).toBe(200);
  });

  test('that are rejected state the reason', async () => {
    const youtube = await start();
    const token = await youtube.token();
    const id = await youtube.upload(token);
    await youtube.changeVideo(id, { rejectionReason: 'duplicate' });
    expect(await status(youtube, token, id)).toMatchObject({ uploadStatus: 'rejected', rejectionReason: 'duplicate' });
    expect((await youtube.call('GET', `/watch?v=${id}`)).status).toBe(404);
  });

  test("omit deleted and private videos, and hide others' details", async () => {
    const youtube = await start();
    const [nora, ida] = [await youtube.token(), await youtube.token('ida')];
    const hidden = await youtube.upload(ida, { status: { privacyStatus: 'private' } });
    const shown = await youtube.upload(ida);
    const gone = await youtube.upload(nora);
    await youtube.changeVideo(gone, { deleted: true });
    const id = [hidden, shown, gone, 'nothing'].join();
    const response = await youtube.list('videos', nora, { part: 'id', id });
    expect(items(response).map((item) => at(item, 'id'))).toEqual([shown]);
    expect((await youtube.list('videos', nora, { part: 'fileDetails', id: shown })).reason).toBe('forbidden');
    expect((await youtube.call('GET', `/watch?v=${hidden}`)).status).toBe(404);
  });

  test.for<[string, Record<string, string>]>([
    ['no id', { part: 'id' }],
    ['no part', { id: 'a' }],
    ['51 ids', { part: 'id', id: Array.from({ length: 51 }, (_, index) => `id${index}`).join() }],
    ['all of one channel', { part: 'id', channelId: 'UC1' }],
  ])('with %s are rejected', async ([, query]) => {
    const youtube = await start();
    expect((await youtube.list('videos', await youtube.token(), query)).status).toBe(400);
  });
});

describe('parameters of every method', () => {
  test('a list may be repeated instead of joined', async () => {
    const youtube = await start();
    const token = await youtube.token();
    const ids = [await youtube.upload(token), await youtube.upload(token)];
    const path = `/youtube/v3/videos?part=snippet&part=status&id=${ids[0]}&id=${ids[1]}`;
    const found = items(await youtube.call('GET', path, { token }));
    expect(found.map((video) => at(video, 'id'))).toEqual(ids);
    for (const video of found)
      expect(Object.keys(video as object)).toEqual(expect.arrayContaining(['snippet', 'status']));
  });

  test('fields selects properties of the response', async () => {
    const youtube = await start();
    const token = await youtube.token();
    const id = await youtube.upload(token);
    const ask = (fields: string) => youtube.list('videos', token, { part: 'snippet,status', id, fields });
    expect((await ask('items(id,snippet/title,status(privacyStatus))')).json).toEqual({
      items: [{ id, snippet: { title: 'A title' }, status: { privacyStatus: 'public' } }],
    });
    expect(Object.keys((await ask('kind,items/*')).json)).toEqual(['kind', 'items']);
    for (const fields of ['items(id', 'items)', '', 'items//id']) expect((await ask(fields)).status).toBe(400);
  });

  test('a part without content is omitted', async () => {
    const youtube = await start();
    const token = await youtube.token();
    const id = await youtube.upload(token);
    const [video] = items(await youtube.list('videos', token, { part: 'statistics,topicDetails', id, key: 'k' }));
    expect(video).toMatchObject({ statistics: { viewCount: '0' } });
    expect(video).not.toHaveProperty('topicDetails');
  });
});

describe('deletion', () => {
  const MANAGE = ['https://www.googleapis.com/auth/youtube.force-ssl'];

  test('removes a video of the caller, once', async () => {
    const youtube = await start();
    const nora = await youtube.token('nora.cuts', MANAGE);
    const id = await youtube.upload(nora);
    const remove = (token: string) => youtube.call('DELETE', `/youtube/v3/videos?id=${id}`, { token });
    expect((await remove(await youtube.token('ida', MANAGE))).reason).toBe('forbidden');
    expect((await remove(await youtube.token())).reason).toBe('insufficientPermissions');
    expect(await remove(nora)).toMatchObject({ status: 204, text: '' });
    expect(await remove(nora)).toMatchObject({ status: 404, reason: 'videoNotFound' });
    expect(items(await youtube.list('videos', nora, { part: 'id', id }))).toEqual([]);
    expect(await youtube.published()).toEqual([]);
  });
});

describe('uploads playlist', () => {
  const uploads = async (youtube: YouTube, username = 'nora.cuts') =>
    (await youtube.simulator.enrol(username)).remoteId.replace('UC', 'UU');

  test("lists the channel's own uploads, newest first, in pages", async () => {
    const youtube = await start();
    const token = await youtube.token();
    const ids: string[] = [];
    for (const privacyStatus of ['public', 'private', 'unlisted', 'public', 'public', 'public', 'public'])
      ids.unshift(await youtube.upload(token, { status: { privacyStatus } }));
    await youtube.upload(await youtube.token('ida'));
    const asked = { part: 'snippet,contentDetails,status', playlistId: await uploads(youtube) };
    const first = await youtube.list('playlistItems', token, asked);
    expect(idsOf(first)).toEqual(ids.slice(0, 5));
    const pageToken = String(first.json.nextPageToken);
    const second = await youtube.list('playlistItems', token, { ...asked, pageToken });
    expect(idsOf(second)).toEqual(ids.slice(5));
    expect(second.json).not.toHaveProperty('nextPageToken');
    expect(idsOf(await youtube.list('playlistItems', token, { ...asked, maxResults: '50' }))).toEqual(ids);
    expect(items(first)[0]).toMatchObject({ snippet: { title: 'A title', resourceId: { videoId: ids[0] } } });
  });

  test('lists only public uploads of others, possibly late', async () => {
    const youtube = await start();
    const [nora, ida] = [await youtube.token(), await youtube.token('ida')];
    await youtube.upload(ida, { status: { privacyStatus: 'private' } });
    const shown = await youtube.upload(ida);
    await youtube.set({ listLagMs: 60_000 });
    const asked = { part: 'contentDetails', playlistId: await uploads(youtube, 'ida') };
    expect(idsOf(await youtube.list('playlistItems', nora, asked))).toEqual([]);
    youtube.clock.now += 60_000;
    expect(idsOf(await youtube.list('playlistItems', nora, asked))).toEqual([shown]);
  });

  test('unknown playlists are 404, invalid parameters are 400', async () => {
    const youtube = await start();
    const token = await youtube.token();
    const ask = (query: Record<string, string>) => youtube.list('playlistItems', token, { part: 'id', ...query });
    const none = await ask({ playlistId: 'UU1' });
    expect([none.status, none.reason]).toEqual([404, 'playlistNotFound']);
    const playlistId = await uploads(youtube);
    const odd: Record<string, string>[] = [
      { maxResults: '51' },
      { maxResults: 'x' },
      { pageToken: 'x' },
      { part: 'x' },
    ];
    for (const query of [...odd, { order: 'date' }]) expect((await ask({ playlistId, ...query })).status).toBe(400);
  });
});

describe('thumbnail', () => {
  const jpeg = Buffer.from('ffd8ffe000104a46494600', 'hex');

  test('requires the owner and a valid type and size', async () => {
    const youtube = await start();
    const [nora, ida] = [await youtube.token(), await youtube.token('ida')];
    const id = await youtube.upload(nora);
    const set = (by: string, videoId: string, body: Buffer, type = 'image/jpeg', more: Record<string, string> = {}) =>
      youtube.call(
        'POST',
        `/upload/youtube/v3/thumbnails/set?${new URLSearchParams({ videoId, uploadType: 'media', ...more })}`,
        {
          token: by,
          body,
          headers: { 'content-type': type },
        },
      );
    const reader = await youtube.token('nora.cuts', [SCOPES[1] ?? '']);
    expect((await set(reader, id, jpeg)).reason).toBe('insufficientPermissions');
    expect((await set(ida, id, jpeg)).reason).toBe('forbidden');
    expect((await set(nora, 'nobody', jpeg)).reason).toBe('videoNotFound');
    expect((await set(nora, id, jpeg, 'image/gif')).status).toBe(400);
    expect((await set(nora, id, jpeg, 'image/png')).reason).toBe('mediaBodyInvalid');
    expect((await set(nora, id, Buffer.alloc(0))).reason).toBe('mediaBodyRequired');
    expect((await set(nora, id, Buffer.concat([jpeg, Buffer.alloc(2_097_152)]))).reason).toBe('mediaBodyInvalid');
    expect((await set(nora, id, jpeg, 'image/jpeg', { part: 'snippet' })).status).toBe(400);
    const response = await set(nora, id, jpeg);
    expect([response.status, response.json.kind]).toEqual([200, 'youtube#thumbnailSetResponse']);
    expect(await youtube.store.get('video', id)).toMatchObject({ thumbnail: sha256(jpeg) });
    await youtube.changeAccount({ verified: false });
    expect((await set(nora, id, jpeg)).reason).toBe('forbidden');
  });

  test('costs fifty quota units', async () => {
    const youtube = await start({ limits: true });
    const nora = await youtube.token();
    const id = await youtube.upload(nora);
    await youtube.store.put('quota', 'units 2026-11-21', 9_940);
    const set = () =>
      youtube.call('POST', `/upload/youtube/v3/thumbnails/set?videoId=${id}&uploadType=media`, {
        token: nora,
        body: jpeg,
        headers: { 'content-type': 'image/jpeg' },
      });
    expect([(await set()).status, (await set()).reason]).toEqual([200, 'quotaExceeded']);
    expect((await youtube.list('videos', nora, { part: 'id', id })).status).toBe(200);
  });
});

describe('quota', () => {
  const MIDNIGHT = Date.UTC(2026, 10, 21, 8);

  test('allows 100 uploads until midnight Pacific for all channels', async () => {
    const youtube = await start({ limits: true });
    const [nora, ida] = [await youtube.token(), await youtube.token('ida')];
    for (let count = 0; count < 50; count += 1) {
      expect((await youtube.start(nora, 1_000)).status).toBe(200);
      // A rejected call costs as much as an accepted one.
      expect((await youtube.start(ida, 0)).reason).toBe('mediaBodyRequired');
    }
    const refused = await youtube.start(ida, 1_000);
    expect([refused.status, refused.reason]).toEqual([429, 'rateLimitExceeded']);
    expect(at(refused.json, 'error', 'message')).toContain('Video Uploads per day');
    expect((await youtube.list('channels', ida, { part: 'id', mine: 'true' })).status).toBe(200);
    youtube.clock.now = MIDNIGHT + 86_400_000 - 1;
    expect((await youtube.start(await youtube.token(), 1_000)).reason).toBe('rateLimitExceeded');
    youtube.clock.now += 1;
    expect((await youtube.start(await youtube.token(), 1_000)).status).toBe(200);
  });

  test('of a channel is separate', async () => {
    const youtube = await start();
    const [nora, ida] = [await youtube.token(), await youtube.token('ida')];
    await youtube.changeAccount({ uploadsLeft: 1 });
    expect((await youtube.start(nora, 1_000)).status).toBe(200);
    expect((await youtube.start(nora, 1_000)).reason).toBe('uploadLimitExceeded');
    expect((await youtube.start(ida, 1_000)).status).toBe(200);
  });
});

describe('failures requested by description', () => {
  const asking = (tag: string) => ({ snippet: { description: `x #sandbox-${tag}` } });

  test('reconnect: revokes all grants', async () => {
    const youtube = await start();
    const token = await youtube.token();
    expect((await youtube.start(token, 1_000, asking('reconnect'))).reason).toBe('authError');
    expect((await youtube.start(token, 1_000)).status).toBe(401);
  });

  test('reject: accepts the upload, then the video fails', async () => {
    const youtube = await start();
    const token = await youtube.token();
    const id = await youtube.upload(token, asking('reject'));
    const { json } = await youtube.list('videos', token, { part: 'status', id });
    expect(at(json, 'items', 0, 'status')).toMatchObject({ uploadStatus: 'failed', failureReason: 'invalidFile' });
    expect(await youtube.published()).toEqual([]);
  });

  test('rate-limit and down: reject each new post at first', async () => {
    const youtube = await start();
    const token = await youtube.token();
    const statuses = async (tag: string, times: number) => {
      const seen: number[] = [];
      for (let time = 0; time < times; time += 1) seen.push((await youtube.start(token, 1_000, asking(tag))).status);
      return seen;
    };
    for (let time = 0; time < 2; time += 1) {
      expect(await statuses('rate-limit', 3)).toEqual([403, 403, 200]);
      expect(await statuses('down', 4)).toEqual([503, 503, 503, 200]);
    }
  });

  test('slow: processing takes thirty seconds', async () => {
    const youtube = await start();
    const token = await youtube.token();
    const id = await youtube.upload(token, asking('slow'));
    const state = async () =>
      at((await youtube.list('videos', token, { part: 'status', id })).json, 'items', 0, 'status', 'uploadStatus');
    youtube.clock.now += 29_999;
    expect(await state()).toBe('uploaded');
    youtube.clock.now += 1;
    expect(await state()).toBe('processed');
  });

  test('lost-answer: publishes, then closes the connection', async () => {
    const youtube = await start();
    const bytes = randomBytes(1_000);
    const uri = youtube.uriOf(await youtube.start(await youtube.token(), 1_000, asking('lost-answer')));
    await expect(youtube.put(uri, bytes, 0, 1_000)).rejects.toThrow();
    expect((await youtube.published()).map((entry) => entry.sha256)).toEqual([sha256(bytes)]);
    expect((await youtube.ask(uri, 1_000)).status).toBe(200);
  });
});

test.for([
  ['rate-limited', 403],
  ['rate-limited-with-wait', 429],
  ['server-error', 503],
  ['token-expired', 401],
  ['token-revoked', 401],
] as const)('error format of %s', async ([refusal, status]) => {
  const youtube = await start();
  const token = await youtube.token();
  youtube.faults.add({ when: () => true, times: 1, fault: { kind: 'refusal', refusal } });
  const response = await youtube.start(token, 1_000);
  expect([response.status, at(response.json, 'error', 'code')]).toEqual([status, status]);
  expect((await youtube.start(token, 1_000)).status).toBe(200);
});

test("an unknown path is 404 in the API's format", async () => {
  const youtube = await start();
  const response = await youtube.call('GET', '/youtube/v3/search?part=id');
  expect([response.status, response.reason]).toEqual([404, 'notFound']);
});

test('another process resumes a session from the store', async () => {
  const one = await start();
  const bytes = randomBytes(262_144 + 500);
  const uri = one.uriOf(await one.start(await one.token(), bytes.length));
  await one.put(uri, bytes.subarray(0, 262_144), 0, bytes.length);
  const two = await start({ store: one.store, blobs: one.blobs });
  const there = uri.replace(one.url, two.url);
  expect((await two.ask(there, bytes.length)).headers.get('range')).toBe('bytes=0-262143');
  expect((await two.put(there, bytes.subarray(262_144), 262_144, bytes.length)).status).toBe(201);
  expect((await one.ask(uri, bytes.length)).status).toBe(200);
  const [entry, ...more] = await two.published();
  expect(more).toEqual([]);
  expect(entry && (await isWholeUpload(two, entry, { bytes: bytes.length, sha256: sha256(bytes) }))).toBe(true);
});
