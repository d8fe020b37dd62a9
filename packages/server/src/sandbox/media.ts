import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Blobs, PublishedEntry } from '../connectors/kit/simulator.ts';
import { type ByteRange, readRange, splitRange } from './ranges.ts';

/** Sends what a platform received, or the range of it that is asked for; 404 when the bytes are gone. */
export async function sendMedia(
  request: IncomingMessage,
  response: ServerResponse,
  entry: PublishedEntry,
  blobs: Blobs,
): Promise<void> {
  const found = await Promise.all(entry.blobs.map((key) => blobs.size(key)));
  const sizes = found.filter((size) => size !== null);
  if (sizes.length < found.length || sizes.length === 0) return void response.writeHead(404).end();
  const size = sizes.reduce((sum, each) => sum + each, 0);
  const etag = `"${entry.sha256}"`;
  const current = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
  const range = current ? readRange(request.headers.range, size) : null;
  const headers = {
    ...SAFE_HEADERS,
    'content-type': /^video\/[\w.+-]+$/.test(entry.mime) ? entry.mime : 'application/octet-stream',
    'accept-ranges': 'bytes',
    etag,
  };
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
  if (range === 'unsatisfiable')
    return void response.writeHead(416, { ...headers, 'content-range': `bytes */${size}` }).end();
  const { first, last } = range ?? { first: 0, last: size - 1 };
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'content-length': last - first + 1,
    ...(range ? { 'content-range': `bytes ${first}-${last}/${size}` } : {}),
  });
  if (request.method === 'HEAD') return void response.end();
  const pieces = splitRange(sizes, { first, last }).map((piece) => ({ key: entry.blobs[piece.index] ?? '', ...piece }));
  // A viewer that goes away in the middle is the ordinary case.
  await pipeline(Readable.from(readPieces(blobs, pieces), { objectMode: false }), response).catch(() => {});
}

/** The bytes are whatever somebody uploaded, served from the service's own address: nothing in them may run. */
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, max-age=3600',
};

async function* readPieces(blobs: Blobs, pieces: readonly { key: string; range: ByteRange }[]) {
  for (const { key, range } of pieces) yield* await blobs.get(key, range);
}
