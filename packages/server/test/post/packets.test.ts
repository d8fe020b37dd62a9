/** Valid posts and uploads arrive in any order of fields, cut into packets at any byte. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cutAt,
  type PacketResponse,
  permutations,
  positionsIn,
  sendPackets,
} from '../../../sandbox/test/harness/packets.ts';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { BOUNDARY, body, field, file } from '../receive/harness.ts';
import { begin, contentOf, withKey } from '../uploads/world.ts';
import { addReadyAccount, smallVideo, startPostService } from './world.ts';

let service: TestService;
let server: Server;
let user: TestUser;
let videos: Record<'small' | 'large', Buffer>;
let fields: Record<Exclude<Part, 'video'>, Buffer>;
beforeAll(async () => {
  service = await startPostService();
  server = await serverOf(service);
  user = await service.newUser();
  videos = { small: await readFile(await smallVideo()), large: await readFile(await makeVideo({ seconds: 3 })) };
  const x = await addReadyAccount(service.db, user.userId, { platform: 'x' });
  const telegram = await addReadyAccount(service.db, user.userId, { platform: 'telegram' });
  // Only with this caption, the post is valid on X; only with both accounts, all options have one.
  const options = { x: { caption: 'short' }, [telegram.id]: { caption: 'Telegram' } };
  fields = {
    x: field('platforms', x.id),
    telegram: field('platforms', telegram.id),
    description: field('description', 'long '.repeat(80)),
    options: field('options', JSON.stringify(options)),
  };
});
afterAll(() => service.close());

type Part = 'x' | 'telegram' | 'description' | 'options' | 'video';
const ORDERS = permutations<Part>(['x', 'telegram', 'description', 'options', 'video']);

/** The HTTP server of a service in this process. */
async function serverOf({ url }: TestService): Promise<Server> {
  const found = Promise.withResolvers<Server>();
  const onRequest = (message: unknown) => {
    const { server: each, request } = message as { server: Server; request: { url: string } };
    if (request.url === '/health/live?packets') found.resolve(each);
  };
  subscribe('http.server.request.start', onRequest);
  try {
    await fetch(`${url}/health/live?packets`);
    return await found.promise;
  } finally {
    unsubscribe('http.server.request.start', onRequest);
  }
}

function formOf(order: readonly Part[], video: Buffer): Buffer {
  return body(...order.map((each) => (each === 'video' ? file('video', video) : fields[each])));
}

function headOf(method: string, path: string, headers: Record<string, string | number>): Buffer {
  const all = { host: 'localhost', connection: 'close', authorization: `Bearer ${user.key}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} /api/v1${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
}

/** Sends a form whose headers are a packet of their own. */
function sendForm(
  path: string,
  form: Buffer,
  positions: readonly number[],
  gap: number,
): Promise<PacketResponse | null> {
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': form.length };
  return sendPackets(server, [headOf('POST', path, headers), ...cutAt(form, positions)], gap);
}

describe.each(['/post', '/post/check'])('%s', (path) => {
  test(seeded('accepts the fields in any order'), async () => {
    for (const [index, order] of drawn([...ORDERS.entries()], ONE_IN.orders, path)) {
      const form = formOf(order, videos.small);
      const response = await sendForm(path, form, [(index * 97) % form.length], index % 4);
      expect([order.join(), response]).toEqual([order.join(), expect.objectContaining({ status: 200 })]);
    }
  });

  test.each(['small', 'large'] as const)(seeded('accepts a %s video, cut at any byte'), async (size) => {
    const form = formOf(['x', 'telegram', 'video', 'options', 'description'], videos[size]);
    for (const position of drawn(positionsIn(form, videos[size]), ONE_IN.packets, `${path} ${size}`)) {
      const response = await sendForm(path, form, [position], position % 4);
      expect([position, response]).toEqual([position, expect.objectContaining({ status: 200 })]);
    }
  });
});

describe('/uploads', () => {
  const PIECE = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };

  test.each([
    ['with a length', false],
    ['in HTTP chunks', true],
  ])(seeded('stores a piece %s, cut at any byte'), async (_, isChunked) => {
    const video = videos.small;
    const piece = isChunked
      ? Buffer.concat([Buffer.from(`${video.length.toString(16)}\r\n`), video, Buffer.from('\r\n0\r\n\r\n')])
      : video;
    const length: Record<string, string | number> = isChunked
      ? { 'transfer-encoding': 'chunked' }
      : { 'content-length': piece.length };
    const isFraming = (position: number) => position < 10 || position > piece.length - 10;
    const positions = Array.from(piece.keys()).filter((position) => isFraming(position) || position % 10 === 0);
    for (const position of drawn(positions, ONE_IN.packets, `${isChunked}`)) {
      const place = await begin(withKey(service, user), video.length);
      const head = headOf('PATCH', place, { ...PIECE, ...length, 'upload-offset': 0 });
      const response = await sendPackets(server, [head, ...cutAt(piece, [position])], position % 4);
      expect([position, response?.status, response?.headers.get('upload-offset')]).toEqual([
        position,
        204,
        String(video.length),
      ]);
      expect((await contentOf(service, user.userId, place)).bytes.equals(video)).toBe(true);
      await user.call('DELETE', place, { headers: { 'tus-resumable': '1.0.0' } });
    }
  });
});
