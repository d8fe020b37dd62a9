import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Video } from '../src/multipart.ts';
import { createTransport } from '../src/transport.ts';
import { createUploads } from '../src/uploads.ts';
import { withServer } from './harness.ts';

const MIB = 1024 * 1024;

/**
 * Uploads a blob or a stream to a service that takes the given time, in ms, for each chunk; the last time repeats.
 * @returns the sizes of the chunks in MiB
 */
async function chunksFor(mib: number, times: readonly number[], isStream = false): Promise<number[]> {
  const blob = new Blob([randomBytes(mib * MIB)]);
  const stream = () => blob.stream() as ReadableStream<Uint8Array>;
  const video: Video = isStream ? { length: blob.size, stream } : blob;
  const chunks: number[] = [];
  let clock = 0;
  let offset = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') return response.writeHead(201, { location: '/api/v1/uploads/x' }).end();
    let bytes = 0;
    for await (const part of request) bytes += (part as Buffer).length;
    offset += bytes;
    if (request.method === 'PATCH') clock += times[Math.min(chunks.push(bytes / MIB), times.length) - 1] ?? 0;
    response.writeHead(request.method === 'PATCH' ? 204 : 200, { 'upload-offset': String(offset) }).end();
  };
  await withServer([respond], async ({ url }) => {
    const uploads = createUploads(createTransport({ baseUrl: url }), undefined, () => clock);
    await uploads.send(video);
  });
  return chunks;
}

test.each([
  ['a blob', false],
  ['a stream', true],
])('chunks of %s double while they are fast', async (_, isStream) => {
  expect(await chunksFor(100, [100], isStream)).toEqual([1, 2, 4, 8, 16, 32, 32, 5]);
});

test('chunks keep their size at a moderate speed', async () => {
  expect(await chunksFor(10, [100, 1_000])).toEqual([1, 2, 2, 2, 2, 1]);
});

test('chunks shrink on a slow line, to 1 MiB', async () => {
  expect(await chunksFor(14, [100, 100, 3_000])).toEqual([1, 2, 4, 2, 1, 1, 1, 1, 1]);
});
