/** Forms that simulators receive: complete ones in any packets, and ones whose file cannot be stored. */
import { createServer, type Server } from 'node:http';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { receiveParts } from '../src/http/multipart-form.ts';
import { memoryBlobs } from '../src/store/memory.ts';
import { cutAt, permutations, sendPackets } from './harness/packets.ts';

const BOUNDARY = 'boundary0123456789';
const HEAD = Buffer.from(
  `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\n`,
);

const part = (disposition: string, content: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);

const TEXTS = { caption: 'a', title: `\r\n--${BOUNDARY.slice(1)}` };
type Part = keyof typeof TEXTS | 'file';
const ORDERS = permutations<Part>(['caption', 'title', 'file']);

function packetsOf(order: readonly Part[], file: Buffer, positions: (form: Buffer) => number[]): Buffer[] {
  const parts = order.map((name) =>
    name === 'file' ? part('name="file"; filename="a.mp4"', file) : part(`name="${name}"`, TEXTS[name]),
  );
  const form = Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
  const head = Buffer.concat([HEAD, Buffer.from(`Content-Length: ${form.length}\r\n\r\n`)]);
  return [head, ...cutAt(form, positions(form))];
}

class Full extends Error {}

let server: Server;
/** Number of bytes of the file after which storing it fails. */
let failsAfter: number;
let received: Promise<unknown>;
/** Key of the file's blob; null: the file is skipped. */
let key: string | null;
beforeEach(() => {
  key = 'key';
  failsAfter = Number.POSITIVE_INFINITY;
  const kept = memoryBlobs();
  const blobs = {
    ...kept,
    async put(blob: string, source: Readable) {
      if (failsAfter === 0) throw new Full();
      return kept.put(blob, Readable.from(failingAfter(source), { objectMode: false }));
    },
  };
  const result = Promise.withResolvers<unknown>();
  received = result.promise;
  server = createServer(async (request, response) => {
    const options = { blobs, maxBytes: 10_000_000, keyOf: () => key };
    const parts = await receiveParts({ headers: request.headers, body: request }, options).catch((error: unknown) =>
      error instanceof Full ? 'full' : String(error),
    );
    result.resolve(parts);
    response.end(JSON.stringify(parts));
  });
});

async function* failingAfter(source: Readable): AsyncGenerator<Buffer> {
  let seen = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    seen += chunk.length;
    if (seen >= failsAfter) throw new Full();
    yield chunk;
  }
}

describe('a form for a simulator', () => {
  test.each([1, 70_000])('is complete with a file of %i bytes, however split', async (bytes) => {
    const file = Buffer.alloc(bytes, '\r\n--');
    for (const order of ORDERS) {
      const whole = packetsOf(order, file, () => [])[1] ?? Buffer.alloc(0);
      const start = whole.indexOf(file);
      for (const position of whole.keys()) {
        if (position > start + 5 && position < start + bytes - 5) continue;
        const response = await sendPackets(
          server,
          packetsOf(order, file, () => [position]),
          position % 3,
        );
        expect(response?.body).toMatchObject({
          fields: order.flatMap((name) => (name === 'file' ? [] : [{ name, value: TEXTS[name] }])),
          files: [{ part: 'file', bytes }],
        });
      }
    }
  });

  test.each([
    ['at once', 0],
    ['after the first bytes', 1],
    ['in the middle', 200_000],
  ])('is answered if storing fails %s', async (_, after) => {
    failsAfter = after;
    for (const bytes of [1, 60_000, 1_000_000])
      for (const order of ORDERS) {
        const packets = packetsOf(order, Buffer.alloc(bytes, 1), (form) => [Math.floor(form.length / 2)]);
        const response = await sendPackets(server, packets, 2);
        expect([bytes, order, response?.body]).toEqual([
          bytes,
          order,
          bytes < after ? expect.objectContaining({ files: [expect.objectContaining({ bytes })] }) : 'full',
        ]);
      }
  });

  test.each([0, 1, 200_000])('may break off after storing failed at byte %i', async (after) => {
    failsAfter = after;
    const [head, form = Buffer.alloc(0)] = packetsOf(['file'], Buffer.alloc(1_000_000, 1), () => []);
    await sendPackets(server, [head ?? form, form.subarray(0, 500_000)], 5, { breaksOff: true });
    expect(await received).toBeNull();
  });

  test.each([
    ['stored', 'key'],
    ['skipped', null],
  ])('is null without its end, with a file %s', async (_, blob) => {
    key = blob;
    const [, form = Buffer.alloc(0)] = packetsOf(['caption', 'file', 'title'], Buffer.alloc(50, 1), () => []);
    for (let length = 0; length < form.length - 2; length++) {
      const head = Buffer.concat([HEAD, Buffer.from(`Content-Length: ${length}\r\n\r\n`)]);
      const response = await sendPackets(server, [head, form.subarray(0, length)], length % 3);
      expect([length, response?.body]).toEqual([length, null]);
    }
  });
});
