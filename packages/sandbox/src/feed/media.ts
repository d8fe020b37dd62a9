import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Blobs, PublishedEntry } from '../contract.ts';
import { answerRange, type ByteRange, splitRange } from '../http/ranges.ts';

/** Sends the media a platform received, or the requested range; 404 when the bytes are gone. */
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
  const { status, headers, range } = answerRange(request.headers, size, `"${entry.sha256}"`);
  const type = /^video\/[\w.+-]+$/.test(entry.mime) ? entry.mime : 'application/octet-stream';
  response.writeHead(status, { ...SAFE_HEADERS, ...headers, 'content-type': type });
  if (!range || request.method === 'HEAD') return void response.end();
  const pieces = splitRange(sizes, range).map((piece) => ({ key: entry.blobs[piece.index] ?? '', ...piece }));
  // Viewers often disconnect early.
  await pipeline(Readable.from(readPieces(blobs, pieces), { objectMode: false }), response).catch(() => {});
}

/** The bytes are user uploads served from the service's own origin, so nothing in them may execute. */
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, max-age=3600',
};

async function* readPieces(blobs: Blobs, pieces: readonly { key: string; range: ByteRange }[]) {
  for (const { key, range } of pieces) yield* await blobs.get(key, range);
}
