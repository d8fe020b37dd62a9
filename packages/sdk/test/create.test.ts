import { expect, test } from 'vitest';
import { createClient, type NewPost, type VideoStream } from '../src/index.ts';
import { type Next, noted, type Server, withServer } from './harness.ts';

const CREATED = { success: true, historyId: 'h', scheduled: false, date: '2026-08-01T09:30:00.000Z', result: [] };
const done: Next = { status: 200, json: CREATED };
const refused = (status: number, code: string, more = {}): Next => ({
  status,
  json: { success: false, code, message: 'No.', ...more },
});

function videoOf(text: string, pieces = 3): VideoStream {
  const bytes = new TextEncoder().encode(text);
  const size = Math.ceil(bytes.length / pieces);
  return {
    length: bytes.length,
    name: 'clip.mp4',
    stream: () =>
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
          controller.close();
        },
      }),
  };
}

async function create(script: readonly Next[], post: Partial<NewPost> = {}) {
  return withServer(script, async (server: Server) => {
    const { pauses, pause } = noted();
    const { posts } = createClient({ baseUrl: server.url, apiKey: 'k', pause });
    const outcome = await posts
      .create({ video: videoOf('the video'), platforms: ['a', 'b'], ...post })
      .catch((error: unknown) => error);
    const keys = server.requests.map((request) => request.headers['idempotency-key']);
    return { outcome, pauses, keys, requests: server.requests };
  });
}

test.each([
  ['a stream', videoOf('the video')],
  ['a blob', new File(['the video'], 'clip.mp4')],
])('create sends %s as a form of known length', async (_name, video) => {
  const { outcome, requests } = await create([done], {
    video,
    description: 'Zwölf Boxkämpfer',
    scheduled: new Date(1_785_576_600_000),
    previewTime: 1.5,
    fit: 'pad',
  });
  expect(outcome).toEqual({ historyId: 'h', scheduled: false, date: CREATED.date, result: [] });
  const [{ headers, body } = { headers: {}, body: '' }] = requests;
  expect(Number(headers['content-length'])).toBe(body.length);
  const form = await new Response(Buffer.from(body, 'latin1'), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();
  const file = form.get('video') as File;
  expect([...form.keys()]).toEqual(['platforms', 'description', 'scheduled', 'previewTime', 'fit', 'video']);
  expect(form.get('platforms')).toBe('["a","b"]');
  expect(form.get('description')).toBe('Zwölf Boxkämpfer');
  expect(form.get('scheduled')).toBe('1785576600000');
  expect([file.name, await file.text()]).toEqual(['clip.mp4', 'the video']);
});

test('a file name cannot break out of its header', async () => {
  const { requests } = await create([done], { video: { ...videoOf('v'), name: 'a"\r\nX-Evil: 1\r\n\r\nb.mp4' } });
  expect(requests[0]?.body).toContain('filename="a%22%0D%0AX-Evil: 1%0D%0A%0D%0Ab.mp4"');
});

test('create retries lost and in-progress responses with one key', async () => {
  const away = refused(503, 'starting', { retryAfter: 5 });
  const busy = refused(409, 'idempotency_in_progress');
  const gateway: Next = { status: 502, text: 'Bad gateway' };
  const { outcome, keys, pauses, requests } = await create(['reset', away, busy, gateway, done]);
  expect(outcome).toMatchObject({ historyId: 'h' });
  expect(keys).toHaveLength(5);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]?.length).toBeGreaterThan(20);
  expect(pauses).toEqual([500, 5_000, 2_000, 4_000]);
  for (const { body } of requests) expect(body).toContain('the video');
});

test('create uses the given idempotency key, or a new one', async () => {
  expect((await create([done], { idempotencyKey: 'mine' })).keys).toEqual(['mine']);
  const first = await create([done]);
  const second = await create([done]);
  expect(first.keys).not.toEqual(second.keys);
});

test('limits the number of attempts and throws the last error', async () => {
  const { outcome, requests, pauses } = await create([refused(503, 'database_unavailable')]);
  expect(outcome).toMatchObject({ code: 'database_unavailable' });
  expect(requests).toHaveLength(10);
  expect(pauses.reduce((sum, ms) => sum + ms)).toBeLessThan(180_000);
});

test.each([
  refused(400, 'video_too_long'),
  refused(401, 'unauthorized'),
  refused(409, 'platform_not_connected'),
  refused(422, 'idempotency_key_reused'),
  refused(429, 'rate_limited', { retryAfter: 9 }),
  refused(500, 'internal_error'),
  refused(503, 'storage_full'),
])('the error %j is not retried', async (next) => {
  const { outcome, requests } = await create([next, done]);
  expect(requests).toHaveLength(1);
  expect(outcome).toHaveProperty('code');
});

test('create sends a one-time stream once', async () => {
  const stream = videoOf('the video').stream() as ReadableStream<Uint8Array>;
  const { outcome, requests } = await create(['reset', done], { video: { length: 9, stream: () => stream } });
  expect(requests).toHaveLength(1);
  expect(outcome).toMatchObject({ code: 'unreachable' });
});

test.each([
  ['shorter', 12, 'ended after 9 of the 12 bytes'],
  ['longer', 5, 'longer than the 5 bytes'],
])('a video %s than announced never completes or retries', async (_name, length, sentence) => {
  const { outcome, pauses } = await create([done], { video: { ...videoOf('the video'), length } });
  expect(outcome).toMatchObject({ message: expect.stringContaining(sentence) });
  expect(pauses).toEqual([]);
});

test('create reports progress, which a retry restarts', async () => {
  const told: number[] = [];
  await create(['reset', done], {
    video: videoOf('123456789'),
    onProgress: ({ sent, total }) => {
      expect(total).toBe(9);
      told.push(sent);
    },
  });
  expect(told.slice(0, 3)).toEqual([3, 6, 9]);
  expect(told.lastIndexOf(3)).toBeGreaterThan(2);
  expect(told.at(-1)).toBe(9);
});

test('an upload does not follow a redirect', async () => {
  const { outcome, requests } = await create([{ status: 307, headers: { location: '/elsewhere' } }, done]);
  expect(requests).toHaveLength(1);
  expect(outcome).toMatchObject({ code: 'redirected' });
});

test('a large video takes little memory', async () => {
  const piece = 64 * 1024;
  let left = 2_048;
  let most = 0;
  const before = held();
  const video: VideoStream = {
    length: left * piece,
    stream: () =>
      new ReadableStream(
        {
          pull(controller) {
            if (left-- === 0) return controller.close();
            if (left % 256 === 0) most = Math.max(most, held() - before);
            controller.enqueue(new Uint8Array(piece));
          },
        },
        { highWaterMark: 0 },
      ),
  };
  const take: Next = (request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify(CREATED)));
  };
  expect((await create([take], { video })).outcome).toMatchObject({ historyId: 'h' });
  expect(most).toBeLessThan(video.length / 2);
});

/** Bytes outside the heap that are still referenced. Runs the garbage collector first. */
function held(): number {
  globalThis.gc?.();
  return process.memoryUsage().arrayBuffers;
}

test('create reads the video only as fast as sent', async () => {
  const piece = new Uint8Array(64 * 1024);
  const length = 4_096 * piece.length;
  let produced = 0;
  const video: VideoStream = {
    length,
    stream: () =>
      new ReadableStream(
        {
          pull(controller) {
            produced += piece.length;
            controller.enqueue(piece);
          },
        },
        { highWaterMark: 0 },
      ),
  };
  const enough = new AbortController();
  // Accepts the request and reads nothing of it.
  await withServer([() => {}], async ({ url }) => {
    const { posts } = createClient({ baseUrl: url, apiKey: 'k' });
    const ended = posts.create({ video, platforms: [], signal: enough.signal }).catch((error: unknown) => error);
    let before = -1;
    const stands = () => {
      const same = produced > 0 && produced === before;
      before = produced;
      return same;
    };
    await expect.poll(stands, { interval: 200 }).toBe(true);
    expect(produced).toBeLessThan(length / 8);
    const reason = new Error('enough');
    enough.abort(reason);
    expect(await ended).toBe(reason);
  });
});
