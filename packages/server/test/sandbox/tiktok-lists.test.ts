import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { readMp4Facts } from '@reelay/sandbox/media/mp4.ts';
import { memoryBlobs } from '@reelay/sandbox/store/memory.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTikTok, type TikTok } from '../../../sandbox/test/platforms/tiktok-calls.ts';
import { makeVideo } from '../media/fixtures.ts';
import { findBox } from '../media/hostile.ts';

let tiktok: TikTok;
let token: string;
beforeEach(async () => {
  tiktok = await startTikTok({ processingMs: 1000 });
  token = await tiktok.token();
});
afterEach(async () => {
  await tiktok.close();
  expect(tiktok.errors).toEqual([]);
});

const list = (json: unknown, fields = 'id,title', who = token) =>
  tiktok.call('POST', `/v2/video/list/?fields=${fields}`, { token: who, json });
const query = (json: unknown, fields = 'id,title', who = token) =>
  tiktok.call('POST', `/v2/video/query/?fields=${fields}`, { token: who, json });

describe('video list', () => {
  test('lists newest first in pages, even with equal times', async () => {
    for (let i = 0; i < 13; i += 1) await tiktok.post(token, `post ${i}`);
    tiktok.clock.now += 2000;
    const titles = (response: { json: { data: { videos: { title: string }[] } } }) =>
      response.json.data.videos.map((v) => v.title);
    const first = await list({});
    expect(titles(first)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((i) => `post ${i}`));
    expect(first.json.data.has_more).toBe(true);
    const second = await list({ cursor: first.json.data.cursor });
    expect(titles(second)).toEqual(['post 2', 'post 1', 'post 0']);
    expect(second.json.data.has_more).toBe(false);
    expect((await list({ cursor: second.json.data.cursor })).json.data).toMatchObject({ videos: [], has_more: false });
    expect(titles(await list({ max_count: 20 }))).toHaveLength(13);
  });

  test("lists only the caller's public posts after moderation", async () => {
    await tiktok.post(token, 'seen');
    await tiktok.post(token, 'self', undefined, { privacy_level: 'SELF_ONLY' });
    await tiktok.post(token, 'friends', undefined, { privacy_level: 'MUTUAL_FOLLOW_FRIENDS' });
    await tiktok.post(await tiktok.token('ida'), 'not mine');
    await tiktok.post(token, 'bad #sandbox-reject');
    expect((await list({})).json.data.videos).toEqual([]);
    tiktok.clock.now += 2000;
    const { videos } = (await list({})).json.data;
    expect(videos).toEqual([{ id: expect.stringMatching(/^\d{19}$/), title: 'seen' }]);
  });

  test('truncates captions at 150 characters', async () => {
    const posted = tiktok.clock.now;
    await tiktok.post(token, '😀'.repeat(200));
    tiktok.clock.now += 2000;
    const fields = 'id,create_time,title,video_description,share_url,embed_link,is_aigc';
    const [video] = (await list({}, fields)).json.data.videos;
    const [entry] = await tiktok.published();
    expect(video).toMatchObject({
      id: entry?.id,
      create_time: Math.floor(posted / 1000),
      title: '😀'.repeat(150),
      is_aigc: false,
    });
    expect(video?.video_description).toBe(video?.title);
    const address = new URL(video?.share_url ?? '');
    expect(address.pathname).toBe(`/sandbox/tiktok/@nora.cuts/video/${entry?.id}`);
    expect((await tiktok.call('GET', address.href)).status).toBe(200);
  });

  test.for<[string, unknown, string]>([
    ['no fields', {}, ''],
    ['an unknown field', {}, 'id,file_url'],
    ['21 at once', { max_count: 21 }, 'id'],
    ['none at once', { max_count: 0 }, 'id'],
    ['a cursor as text', { cursor: '1764000000000' }, 'id'],
    ['no object', [], 'id'],
  ])('%s is invalid_params', async ([, body, fields]) => {
    expect(await list(body, fields)).toMatchObject({ status: 400, json: { error: { code: 'invalid_params' } } });
  });
});

describe('video query', () => {
  test("returns only the caller's public videos among the ids", async () => {
    await tiktok.post(token, 'one');
    await tiktok.post(token, 'two');
    await tiktok.post(await tiktok.token('ida'), 'not mine');
    tiktok.clock.now += 2000;
    const ids = (await tiktok.published()).map((entry) => entry.id);
    const response = await query({ filters: { video_ids: [ids[0], ids[2], '1'] } });
    expect(response.json.data.videos).toEqual([{ id: ids[0], title: 'one' }]);
  });

  test.for<[string, unknown, string]>([
    ['no filter', {}, 'id'],
    ['21 ids', { filters: { video_ids: Array.from({ length: 21 }, String) } }, 'id'],
    ['ids as numbers', { filters: { video_ids: [1] } }, 'id'],
    ['no fields', { filters: { video_ids: ['1'] } }, ''],
  ])('%s is invalid_params', async ([, body, fields]) => {
    expect(await query(body, fields)).toMatchObject({ status: 400, json: { error: { code: 'invalid_params' } } });
  });
});

describe('duration and size', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelay-tiktok-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test.for([
    ['header last', []],
    ['header first', ['-movflags', '+faststart']],
  ] as const)('are read from a real file, %s', async ([, flags]) => {
    const file = join(folder, 'v.mp4');
    const source = ['-f', 'lavfi', '-i', 'color=red:size=360x640:rate=24:duration=3'];
    await promisify(execFile)('ffmpeg', ['-v', 'error', ...source, '-pix_fmt', 'yuv420p', ...flags, file]);
    await tiktok.post(token, 'real', await readFile(file));
    tiktok.clock.now += 2000;
    const { videos } = (await list({}, 'duration,width,height')).json.data;
    expect(videos).toEqual([{ duration: 3, width: 360, height: 640 }]);
  });

  test("outside TikTok's limits fail the post", async () => {
    const endOf = async (bytes: Buffer) => {
      const publishId = await tiktok.post(token, 'unfit', bytes);
      tiktok.clock.now += 2000;
      return (await tiktok.status(token, publishId)).json.data;
    };
    const small = await readFile(await makeVideo({ width: 356, height: 640, picture: 'plain' }));
    expect(await endOf(small)).toMatchObject({ status: 'FAILED', fail_reason: 'picture_size_check_failed' });
    const long = await readFile(await makeVideo({ width: 360, height: 640, picture: 'plain' }));
    const header = findBox(long, 'mvhd');
    for (const [seconds, end] of [
      [602, { status: 'FAILED', fail_reason: 'duration_check_failed' }],
      [600, { status: 'PUBLISH_COMPLETE', fail_reason: '' }],
    ] as const) {
      long.writeUInt32BE(seconds * long.readUInt32BE(header + 20), header + 24);
      expect(await endOf(long)).toMatchObject(end);
    }
    expect(await tiktok.published()).toHaveLength(1);
  });

  test.for([
    ['noise', Buffer.alloc(4000, 0xff)],
    ['zeros', Buffer.alloc(4000)],
    ['a box of size one cut short', Buffer.from([0, 0, 0, 1, 0x6d, 0x6f, 0x6f, 0x76, 0, 0])],
    ['an empty moov', Buffer.from([0, 0, 0, 8, 0x6d, 0x6f, 0x6f, 0x76])],
    ['a short mvhd', Buffer.from([0, 0, 0, 17, 0x6d, 0x6f, 0x6f, 0x76, 0, 0, 0, 9, 0x6d, 0x76, 0x68, 0x64, 1])],
    ['nothing', Buffer.alloc(0)],
  ] as const)('are zero for %s', async ([, bytes]) => {
    const blobs = memoryBlobs();
    await blobs.put('k', Readable.from([bytes]));
    expect(await readMp4Facts(blobs, [{ blob: 'k', bytes: bytes.length }])).toEqual({
      durationMs: 0,
      width: 0,
      height: 0,
    });
  });
});
