import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Task } from '../../src/platforms/tiktok/records.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { parseJson } from '../harness/parse-json.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { sha256, startTikTok } from './tiktok-calls.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

const start = closedAfterTest(startTikTok);

describe('transfer', () => {
  const SIZE = 11 * MIB;
  const CHUNK = 5 * MIB;
  const video = randomBytes(SIZE);
  const plan = { video_size: SIZE, chunk_size: CHUNK, total_chunk_count: 2 };

  async function begun() {
    const tiktok = await start();
    const token = await tiktok.token();
    const { publish_id: publishId, upload_url: url } = (await tiktok.init(token, {}, plan)).json.data;
    const put = (first: number, last: number, headers: Record<string, string> = {}) =>
      tiktok.put(url, video.subarray(first, last + 1), first, SIZE, headers);
    const uploaded = async () => (await tiktok.status(token, publishId)).json.data.uploaded_bytes;
    return { tiktok, token, publishId, url, put, uploaded };
  }

  test('chunks return 206, the last 201, and publish every byte', async () => {
    const { tiktok, token, publishId, put, uploaded } = await begun();
    const first = await put(0, CHUNK - 1);
    expect(first.status).toBe(206);
    expect(first.headers.get('content-range')).toBe(`bytes 0-${CHUNK}/${SIZE}`);
    expect(await uploaded()).toBe(CHUNK);
    expect(await tiktok.published()).toEqual([]);
    const second = await put(CHUNK, SIZE - 1);
    expect(second.status).toBe(201);
    expect(second.headers.get('content-range')).toBe(`bytes 0-${SIZE}/${SIZE}`);
    const [entry, ...more] = await tiktok.published();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      username: 'nora.cuts',
      text: 'caption #tag',
      bytes: SIZE,
      sha256: sha256(video),
      mime: 'video/mp4',
    });
    expect(entry?.blobs).toHaveLength(2);
    const file = { bytes: SIZE, sha256: sha256(video) };
    expect(entry && (await isWholeUpload(tiktok, entry, file))).toBe(true);
    const shuffled = entry && { ...entry, blobs: entry.blobs.toReversed() };
    expect(shuffled && (await isWholeUpload(tiktok, shuffled, file))).toBe(false);
    const status = await tiktok.status(token, publishId);
    expect(parseJson(status.text)).toMatchObject({ data: { publicaly_available_post_id: [entry?.id] } });
  });

  test('repeated, early and late chunks return 416', async () => {
    const { tiktok, put, uploaded } = await begun();
    const early = await put(CHUNK, SIZE - 1);
    expect(early.status).toBe(416);
    expect(early.headers.get('content-range')).toBe(`bytes 0-0/${SIZE}`);
    await put(0, CHUNK - 1);
    const again = await put(0, CHUNK - 1);
    expect(again.status).toBe(416);
    expect(again.headers.get('content-range')).toBe(`bytes 0-${CHUNK}/${SIZE}`);
    expect(await uploaded()).toBe(CHUNK);
    await put(CHUNK, SIZE - 1);
    expect((await put(CHUNK, SIZE - 1)).status).toBe(416);
    expect(await tiktok.published()).toHaveLength(1);
  });

  test('accepts one of two concurrent last chunks', async () => {
    const { tiktok, put } = await begun();
    await put(0, CHUNK - 1);
    const responses = await Promise.all([put(CHUNK, SIZE - 1), put(CHUNK, SIZE - 1)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 416]);
    expect(await tiktok.published()).toHaveLength(1);
  });

  test.for<[string, Record<string, string>]>([
    ['another type', { 'content-type': 'application/octet-stream' }],
    ['no range', { 'content-range': '' }],
    ['a range without total', { 'content-range': `bytes 0-${CHUNK - 1}/*` }],
    ['a range of another unit', { 'content-range': `octets 0-${CHUNK - 1}/${SIZE}` }],
    ['a range turned around', { 'content-range': `bytes ${CHUNK - 1}-0/${SIZE}` }],
    ['a range beyond the total', { 'content-range': `bytes 0-${CHUNK - 1}/${CHUNK - 1}` }],
    ['another total', { 'content-range': `bytes 0-${CHUNK - 1}/${SIZE + 1}` }],
    ['a range of another length', { 'content-range': `bytes 0-${CHUNK}/${SIZE}` }],
  ])('%s is 400 and stores nothing', async ([, headers]) => {
    const { put, uploaded } = await begun();
    expect((await put(0, CHUNK - 1, headers)).status).toBe(400);
    expect(await uploaded()).toBe(0);
  });

  test('a chunk of an unplanned length is 400', async () => {
    const { put, uploaded } = await begun();
    expect((await put(0, CHUNK)).status).toBe(400);
    expect((await put(0, SIZE - 1)).status).toBe(400);
    await put(0, CHUNK - 1);
    expect((await put(CHUNK, 2 * CHUNK - 1)).status).toBe(400);
    expect(await uploaded()).toBe(CHUNK);
  });

  test('an unknown upload or a wrong token is 404', async () => {
    const { tiktok, url } = await begun();
    for (const wrong of [
      url.replace(/upload_token=\w+/, 'upload_token=x'),
      url.replace(/upload_id=\d+/, 'upload_id=1'),
    ])
      expect((await tiktok.put(wrong, video.subarray(0, CHUNK), 0, SIZE)).status).toBe(404);
  });

  test('the upload URL expires after an hour, the status remains', async () => {
    const { tiktok, token, publishId, put } = await begun();
    tiktok.clock.now += HOUR_MS - 1;
    expect((await put(0, CHUNK - 1)).status).toBe(206);
    tiktok.clock.now += 1;
    expect((await put(CHUNK, SIZE - 1)).status).toBe(403);
    expect((await tiktok.status(token, publishId)).json.data).toMatchObject({
      status: 'PROCESSING_UPLOAD',
      uploaded_bytes: CHUNK,
    });
  });

  test('a body without Content-Length is 400', async () => {
    const { url, uploaded } = await begun();
    const outgoing = http.request(url, {
      method: 'PUT',
      headers: {
        'content-type': 'video/mp4',
        'content-range': `bytes 0-${CHUNK - 1}/${SIZE}`,
        'transfer-encoding': 'chunked',
      },
    });
    outgoing.end('x');
    const [response] = (await once(outgoing, 'response')) as [http.IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(400);
    expect(await uploaded()).toBe(0);
  });

  test('a truncated body stores nothing and can be resent', async () => {
    const { tiktok, url, put, uploaded } = await begun();
    tiktok.faults.add({
      when: ({ method }) => method === 'PUT',
      times: 1,
      fault: { kind: 'reset-before', afterBytes: MIB },
    });
    await expect(put(0, CHUNK - 1)).rejects.toThrow();
    const outgoing = http.request(url, {
      method: 'PUT',
      agent: false,
      headers: {
        'content-type': 'video/mp4',
        'content-length': CHUNK,
        'content-range': `bytes 0-${CHUNK - 1}/${SIZE}`,
      },
    });
    outgoing.on('error', () => {});
    await new Promise<void>((resolve) => outgoing.write(video.subarray(0, MIB), () => resolve()));
    outgoing.destroy();
    expect(await uploaded()).toBe(0);
    expect((await put(0, CHUNK - 1)).status).toBe(206);
    expect(await uploaded()).toBe(CHUNK);
  });

  test('a restart loses no acknowledged bytes', async () => {
    const before = await begun();
    await before.put(0, CHUNK - 1);
    const { store, blobs, clock } = before.tiktok;
    const port = Number(new URL(before.tiktok.url).port);
    await before.tiktok.close();
    const after = await start({ store, blobs, port, now: () => clock.now });
    expect((await after.put(before.url, video.subarray(CHUNK), CHUNK, SIZE)).status).toBe(201);
    expect((await after.published()).map((entry) => entry.sha256)).toEqual([sha256(video)]);
  });

  test('a crash before publishing is repaired by the next request', async () => {
    const { tiktok, token, publishId, put } = await begun();
    await put(0, CHUNK - 1);
    const publish = tiktok.store.publish;
    tiktok.store.publish = () => Promise.reject(new Error('killed'));
    expect((await put(CHUNK, SIZE - 1)).status).toBe(500);
    expect(tiktok.errors.splice(0)).toHaveLength(1);
    tiktok.store.publish = publish;
    expect(await tiktok.published()).toEqual([]);
    await Promise.all([tiktok.status(token, publishId), tiktok.status(token, publishId)]);
    expect(await tiktok.published()).toHaveLength(1);
    expect((await put(CHUNK, SIZE - 1)).status).toBe(416);
    expect(await tiktok.published()).toHaveLength(1);
  });

  test('a last chunk executed late makes one post', async () => {
    const { tiktok, put, uploaded } = await begun();
    await put(0, CHUNK - 1);
    const late = tiktok.faults.add({
      when: ({ method }) => method === 'PUT',
      times: 1,
      fault: { kind: 'late-execution' },
    });
    await expect(put(CHUNK, SIZE - 1)).rejects.toThrow();
    expect(await uploaded()).toBe(CHUNK);
    await put(CHUNK, SIZE - 1);
    await late.release();
    expect(await tiktok.published()).toHaveLength(1);
  });
});

describe('status', () => {
  test('is in progress, then complete without id, then has one', async () => {
    const tiktok = await start({ processingMs: 10_000 });
    const token = await tiktok.token();
    const publishId = await tiktok.post(token, 'hello');
    const status = async () => (await tiktok.status(token, publishId)).text;
    expect(JSON.parse(await status()).data).toEqual({
      status: 'PROCESSING_UPLOAD',
      fail_reason: '',
      publicaly_available_post_id: [],
      uploaded_bytes: 1000,
    });
    tiktok.clock.now += 5_000;
    expect(JSON.parse(await status()).data).toMatchObject({
      status: 'PUBLISH_COMPLETE',
      publicaly_available_post_id: [],
    });
    tiktok.clock.now += 4_999;
    expect(JSON.parse(await status()).data.publicaly_available_post_id).toEqual([]);
    tiktok.clock.now += 1;
    const [entry] = await tiktok.published();
    expect(await status()).toContain(`"publicaly_available_post_id":[${entry?.id}]`);
    // The id exceeds the precision of a double.
    expect(entry?.id).toMatch(/^\d{19}$/);
    expect(JSON.parse(await status()).data.publicaly_available_post_id).not.toEqual([entry?.id]);
    expect(String(JSON.parse(await status()).data.publicaly_available_post_id[0])).not.toBe(entry?.id);
  });

  test.for(['SELF_ONLY', 'MUTUAL_FOLLOW_FRIENDS'])('a post for %s completes without an id', async (privacy) => {
    const tiktok = await start({ processingMs: 1000 });
    const token = await tiktok.token();
    const publishId = await tiktok.post(token, 'quiet', undefined, { privacy_level: privacy });
    tiktok.clock.now += 48 * HOUR_MS;
    const response = await tiktok.status(await tiktok.token(), publishId);
    expect(response.json.data).toMatchObject({ status: 'PUBLISH_COMPLETE', publicaly_available_post_id: [] });
    expect(await tiktok.published()).toHaveLength(1);
  });

  test.for([
    'file_format_check_failed',
    'duration_check_failed',
    'frame_rate_check_failed',
    'picture_size_check_failed',
    'internal',
    'auth_removed',
    'spam_risk',
    'spam_risk_text',
  ])('a post that fails with %s is not published', async (failReason) => {
    const tiktok = await start({ processingMs: 1000 });
    const token = await tiktok.token();
    const { json } = await tiktok.init(token);
    const { publish_id: publishId, upload_url: url } = json.data;
    const uploadId = new URL(url).searchParams.get('upload_id') ?? '';
    await tiktok.store.change<Task>('task', uploadId, (task) => task && { ...task, failReason });
    expect((await tiktok.put(url, randomBytes(1000), 0, 1000)).status).toBe(201);
    tiktok.clock.now += 1000;
    expect((await tiktok.status(token, publishId)).json.data).toMatchObject({
      status: 'FAILED',
      fail_reason: failReason,
    });
    expect(await tiktok.published()).toEqual([]);
  });

  test.for(['status/fetch/', 'cancel/'])("%s accepts only the caller's publish ids", async (path) => {
    const tiktok = await start();
    const token = await tiktok.token();
    const { publish_id } = (await tiktok.init(token)).json.data;
    const ask = (who: string, json: object) => tiktok.call('POST', `/v2/post/publish/${path}`, { token: who, json });
    expect(await ask(token, { publish_id: 'v_pub_file~v2-1.123' })).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_publish_id' } },
    });
    expect((await ask(token, { publish_id: 'nonsense' })).json.error.code).toBe('invalid_publish_id');
    expect((await ask(token, {})).json.error.code).toBe('invalid_params');
    expect(await ask(await tiktok.token('ida'), { publish_id })).toMatchObject({
      status: 400,
      json: { error: { code: 'token_not_authorized_for_specified_publish_id' } },
    });
  });

  test('an upload cannot be canceled', async () => {
    const tiktok = await start();
    const token = await tiktok.token();
    const { publish_id } = (await tiktok.init(token)).json.data;
    const response = await tiktok.call('POST', '/v2/post/publish/cancel/', { token, json: { publish_id } });
    expect(response).toMatchObject({ status: 400, json: { error: { code: 'publish_not_cancellable' } } });
  });

  test('the public page exists only while the post is public', async () => {
    const tiktok = await start({ processingMs: 1000 });
    const token = await tiktok.token();
    await tiktok.post(token, '<b>hello</b>');
    await tiktok.post(token, 'secret', undefined, { privacy_level: 'SELF_ONLY' });
    const [open, closed] = await tiktok.published();
    expect((await tiktok.call('GET', open?.url ?? '')).status).toBe(404);
    tiktok.clock.now += 1000;
    const page = await tiktok.call('GET', open?.url ?? '');
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('<b>');
    expect((await tiktok.call('GET', closed?.url ?? '')).status).toBe(404);
  });
});
