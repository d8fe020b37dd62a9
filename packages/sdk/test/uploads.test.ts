import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pad } from '../../server/test/harness/pad.ts';
import type { TestService, TestUser } from '../../server/test/harness/service.ts';
import { addReadyAccount, eventually, smallVideo, startPostService } from '../../server/test/post/world.ts';
import { openLine } from '../../server/test/uploads/broken-line.ts';
import { contentOf } from '../../server/test/uploads/world.ts';
import { createClient, type ReelayApiError, type Video } from '../src/index.ts';
import { fileVideo, createClient as forNode } from '../src/node.ts';
import { limitingProxy, noted, withServer } from './harness.ts';

const MIB = 1024 * 1024;
let service: TestService;
let user: TestUser;
let folder: string;
let path: string;
/** Larger than one chunk of a blob. */
const bytes = randomBytes(40 * MIB);
const half = bytes.subarray(0, 20 * MIB);
const sha256 = createHash('sha256').update(half).digest('hex');
beforeAll(async () => {
  service = await startPostService();
  user = await service.newUser();
  folder = await mkdtemp(join(tmpdir(), 'reelay-sdk-'));
  path = join(folder, 'clip ä.mp4');
  await writeFile(path, half);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** A video that can be read only from its beginning. */
const fromTheStart: Video = {
  length: half.length,
  stream: () => new Blob([half]).stream() as ReadableStream<Uint8Array>,
};

describe('a video', () => {
  test.each([
    ['a file', () => fileVideo(path)],
    ['a blob', async () => new File([half], 'clip.mp4')],
    ['a stream', async () => fromTheStart],
  ])('%s is uploaded over a connection that breaks twice', async (_, make) => {
    const video = await make();
    const line = await openLine();
    const { pauses, pause } = noted();
    const { uploads } = createClient({ baseUrl: line.url, apiKey: user.key, pause });
    const begun = Promise.withResolvers<string>();
    const seen: number[] = [];
    line.leadTo(service.url, 8 * MIB);
    const sent = uploads.send(video, { onBegun: begun.resolve, onProgress: (progress) => seen.push(progress.sent) });
    const id = await begun.promise;
    for (const [index, much] of [3 * MIB, 8 * MIB].entries()) {
      await eventually('some of it is there', async () => {
        const [row] = await service.db.query<{ durable: number }>('select durable from upload where id = $1', [id]);
        return (row?.durable ?? 0) >= much;
      });
      // A cut between two chunks breaks no request, and one cut may break several.
      const before = pauses.length;
      await eventually('a request is broken', async () => {
        line.cut();
        return pauses.length > before;
      });
      line.leadTo(service.url, index === 0 ? 10 * MIB : undefined);
    }
    expect(await sent).toBe(id);
    expect(pauses.length).toBeGreaterThanOrEqual(2);
    expect(seen.at(-1)).toBe(half.length);
    expect((await contentOf(service, user.userId, `/uploads/${id}`)).sha256).toBe(sha256);
    await uploads.remove(id);
    await line.close();
  });

  test.each([
    ['a file', () => fileVideo(path)],
    ['a blob', async () => new File([half], 'clip.mp4')],
    ['a stream', async () => fromTheStart],
  ])('%s passes a proxy that limits bodies', async (_, make) => {
    const proxy = await limitingProxy(service.url, 3 * MIB);
    const { pauses, pause } = noted();
    const { uploads } = createClient({ baseUrl: proxy.url, apiKey: user.key, pause });
    const id = await uploads.send(await make());
    expect((await contentOf(service, user.userId, `/uploads/${id}`)).sha256).toBe(sha256);
    expect(proxy.sizes.filter((size) => size > 3 * MIB)).toHaveLength(1);
    expect(pauses).toEqual([]);
    await uploads.remove(id);
    await proxy.close();
  });

  test('is posted through a proxy that limits bodies', async () => {
    const proxy = await limitingProxy(service.url, MIB);
    const client = forNode({ baseUrl: proxy.url, apiKey: user.key });
    const uploads = () => service.db.query<{ post_id: string | null }>('select post_id from upload order by id');
    const before = await uploads();
    const account = await addReadyAccount(service.db, user.userId);
    const long = join(folder, 'long.mp4');
    await copyFile(await smallVideo(), long);
    await pad(long, 2 * MIB);
    const post = { video: long, platforms: [account.id], scheduled: Date.now() + 3_600_000 };
    const { result } = await client.posts.check(post);
    expect(result).toMatchObject([{ platform: 'tiktok' }]);
    expect(await uploads()).toEqual(before);
    const { historyId } = await client.posts.create(post);
    expect(await uploads()).toEqual([...before, { post_id: historyId }]);
    await expect(client.posts.create({ ...post, platforms: ['nobody'] })).rejects.toMatchObject({ status: 404 });
    expect(await uploads()).toHaveLength(before.length + 1);
    await proxy.close();
  });

  test('passes a proxy with a limit below the first piece', async () => {
    const proxy = await limitingProxy(service.url, 100_000);
    const { uploads } = createClient({ baseUrl: proxy.url, apiKey: user.key });
    const id = await uploads.send(new Blob([half.subarray(0, MIB)]));
    expect(proxy.sizes.slice(0, 5)).toEqual([MIB, MIB / 2, MIB / 4, MIB / 8, MIB / 16]);
    await uploads.remove(id);
    await proxy.close();
  });

  test('names the limit of a proxy that passes nothing', async () => {
    const proxy = await limitingProxy(service.url, 1_000);
    const { uploads } = createClient({ baseUrl: proxy.url, apiKey: user.key });
    await expect(uploads.send(new Blob([half]))).rejects.toMatchObject({
      status: 413,
      code: 'not_reelay',
      message: expect.stringMatching(/^A proxy before Reelay refused the request because of its size \(413\)\. /),
    });
    await proxy.close();
  });

  test('resumes an upload of another program by file path', async () => {
    const { uploads } = forNode({ baseUrl: service.url, apiKey: user.key });
    const id = await uploads.send(new Blob([bytes]));
    expect(await uploads.offset(id)).toBe(bytes.length);
    const same = join(folder, 'the whole ä.mp4');
    await writeFile(same, bytes);
    expect(await uploads.send(same, { id })).toBe(id);
    await uploads.remove(id);
    await expect(uploads.offset(id)).rejects.toMatchObject({ status: 404, code: 'unknown_upload' });
    await expect(uploads.send(same, { id })).rejects.toMatchObject({ code: 'unknown_upload' });
  });
});

type Reply = { status: number; headers?: Record<string, string>; json?: unknown } | 'reset';

/** Sends ten bytes to a server with responses per method. The last response of each method repeats. */
async function against(
  replies: Record<string, Reply[]>,
  video: Video = new Blob(['0123456789']),
  signal?: AbortSignal,
) {
  const methods: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const method = request.method ?? '';
    methods.push(method);
    const [reply = 'reset', ...rest] = replies[method] ?? [];
    if (rest.length > 0) replies[method] = rest;
    if (method === 'PATCH') for await (const _ of request);
    if (reply === 'reset') return void request.socket.resetAndDestroy();
    response.writeHead(reply.status, reply.headers).end(reply.json ? JSON.stringify(reply.json) : undefined);
  };
  return withServer([(request, response) => void answer(request, response).catch(() => {})], async ({ url }) => {
    const { pauses, pause } = noted();
    const { uploads } = createClient({ baseUrl: url, apiKey: 'k', pause });
    const outcome = await uploads.send(video, { signal }).catch((error: ReelayApiError) => error);
    return { outcome, pauses, methods };
  });
}
const made: Reply = { status: 201, headers: { location: '/api/v1/uploads/x' } };
const at = (offset: number, status = 200): Reply => ({ status, headers: { 'upload-offset': String(offset) } });
const refused = (status: number, code: string, more = {}): Reply => ({
  status,
  json: { success: false, code, message: 'No.', ...more },
});

describe('upload retries', () => {
  test('retries end after two minutes without progress', async () => {
    const { outcome, pauses } = await against({ POST: [made], HEAD: [at(0)], PATCH: ['reset'] });
    expect(outcome).toMatchObject({ code: 'unreachable' });
    expect(pauses).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000]);
  });

  test('progress resets the retries', async () => {
    const offsets = Array.from({ length: 10 }, (_, index) => at(index));
    const { outcome, pauses } = await against({ POST: [made], HEAD: [...offsets, at(10)], PATCH: ['reset'] });
    expect(outcome).toBe('x');
    expect(pauses).toEqual(Array(10).fill(0));
  });

  test('retries wait as long as the service asks', async () => {
    const limited = refused(429, 'rate_limited', { retryAfter: 20 });
    const { outcome, pauses } = await against({
      POST: [limited, made],
      HEAD: [
        { status: 429, headers: { 'retry-after': '30' } },
        { status: 423, headers: { 'retry-after': '2' } },
        at(0),
      ],
      PATCH: [limited, refused(423, 'upload_locked'), refused(409, 'wrong_offset'), at(10, 204)],
    });
    expect(outcome).toBe('x');
    expect(pauses.slice(0, 4)).toEqual([20_000, 30_000, 2_000, 20_000]);
  });

  test.each([
    ['POST', refused(403, 'too_many_uploads'), 'too_many_uploads'],
    ['HEAD', { status: 401 }, 'unauthorized'],
    ['PATCH', refused(503, 'storage_full'), 'storage_full'],
    ['PATCH', refused(460, 'checksum_mismatch'), 'checksum_mismatch'],
    ['PATCH', at(0, 204), 'not_reelay'],
    ['POST', { status: 201 }, 'not_reelay'],
  ] as const)('no retry if %s is answered %j', async (method, reply, code) => {
    const { outcome, pauses } = await against({ POST: [made], HEAD: [at(0)], PATCH: [], [method]: [reply as Reply] });
    expect(outcome).toMatchObject({ code });
    expect(pauses).toEqual([]);
  });
});

test.each([
  ['ends early', 9, 'The video ended after 9 of the 10 bytes that were announced.'],
  ['is longer', 11, 'The video is longer than the 10 bytes that were announced.'],
])('a stream that %s fails without a retry', async (_, length, message) => {
  const stream = () => new Blob(['x'.repeat(length)]).stream() as ReadableStream<Uint8Array>;
  const { outcome, pauses } = await against({ POST: [made], HEAD: [at(0)] }, { length: 10, stream });
  expect(outcome).toMatchObject({ message });
  expect(pauses).toEqual([]);
});

test('an aborted upload is deleted', async () => {
  const controller = new AbortController();
  const stream = () =>
    new ReadableStream<Uint8Array>({
      pull: () => controller.abort(new Error('Enough.')),
    });
  const { outcome, methods } = await against(
    { POST: [made], HEAD: [at(0)], DELETE: [{ status: 204 }] },
    { length: 10, stream },
    controller.signal,
  );
  expect(outcome).toMatchObject({ message: 'Enough.' });
  expect(methods.at(-1)).toBe('DELETE');
});

test('a post contains either an upload id or a video', async () => {
  const response = { success: true, historyId: 'h', scheduled: false, date: '2026-08-01T09:30:00.000Z', result: [] };
  await withServer([{ status: 200, json: response }], async ({ url, requests }) => {
    const { posts } = createClient({ baseUrl: url, apiKey: 'k' });
    expect(await posts.create({ uploadId: 'u', platforms: ['a'] })).toMatchObject({ historyId: 'h' });
    const [{ headers, body } = { headers: {}, body: '' }] = requests;
    const type = { 'content-type': headers['content-type'] ?? '' };
    const form = await new Response(Buffer.from(body, 'latin1'), { headers: type }).formData();
    expect([...form]).toEqual([
      ['platforms', '["a"]'],
      ['uploadId', 'u'],
    ]);
    for (const post of [{ platforms: ['a'] }, { platforms: ['a'], uploadId: 'u', video: new Blob(['v']) }])
      await expect(posts.create(post)).rejects.toThrow('A post has one of video, uploadId and videoUrl.');
  });
});
