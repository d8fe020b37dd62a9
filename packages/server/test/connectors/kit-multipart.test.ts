import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { expect, test } from 'vitest';
import { multipartBody } from '../../src/connectors/kit/multipart.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp } from '../../src/outbound/http-client.ts';

const file = (bytes: Buffer) => ({
  name: 'file',
  filename: 'video.mp4',
  type: 'video/mp4',
  length: bytes.length,
  open: async () => Readable.from([bytes.subarray(0, 7), bytes.subarray(7)], { objectMode: false }),
});

test('multipart body has its announced length and is parsable', async () => {
  const seen: Record<string, unknown> = {};
  const server = http.createServer((request, response) => {
    const parser = new Busboy({ headers: { 'content-type': request.headers['content-type'] ?? '' } });
    parser.on('field', (name, value) => {
      seen[name] = value;
    });
    parser.on('file', async (name, stream, filename, _encoding, type) => {
      seen[name] = { filename, type, bytes: Buffer.concat(await stream.toArray()).toString() };
    });
    parser.on('finish', () => response.end('{}'));
    request.pipe(parser);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createHttp({ guard: createAddressGuard([], [origin]) });
  try {
    const body = multipartBody([
      { name: 'description', value: 'Läufer\r\n--x' },
      file(Buffer.from('some bytes of film')),
    ]);
    const streamed = Buffer.concat(await (await body.open()).toArray());
    expect(streamed.length).toBe(body.length);
    expect((await client.request({ method: 'POST', url: origin, body })).status).toBe(200);
    expect(seen).toEqual({
      description: 'Läufer\r\n--x',
      file: { filename: 'video.mp4', type: 'video/mp4', bytes: 'some bytes of film' },
    });
  } finally {
    client.close();
    server.close();
    server.closeAllConnections();
  }
});

test('multipart body rejects a name that would break it', () => {
  for (const name of ['a"b', 'a\r\nb']) expect(() => multipartBody([{ name, value: '' }])).toThrow(RangeError);
});

test('multipart body fails when a file stream fails', async () => {
  const failing = async () => Readable.from(brokenOff(), { objectMode: false });
  const body = multipartBody([{ ...file(Buffer.alloc(100)), open: failing }]);
  await expect((await body.open()).toArray()).rejects.toThrow('disk');
});

async function* brokenOff() {
  yield Buffer.from('a');
  throw new Error('disk');
}
