/** Responses with stored files, whole or a requested range. */
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Blobs } from '../contract.ts';
import { answerRange, type ByteRange, splitRange } from './ranges.ts';

/** A file whose bytes are in blobs, in order. */
export interface StoredFile {
  blobs: readonly string[];
  mime: string;
}

export interface FileResponse {
  status: number;
  headers: Record<string, string>;
  body?: Readable;
}

/** Responds with a video or the requested range; 404 if its bytes are gone. @param etag quoted */
export async function fileResponse(
  blobs: Blobs,
  { headers: asked }: { headers: IncomingHttpHeaders },
  file: StoredFile,
  etag: string,
): Promise<FileResponse> {
  const found = await Promise.all(file.blobs.map((key) => blobs.size(key)));
  const sizes = found.filter((size) => size !== null);
  if (sizes.length === 0 || sizes.length < found.length) return { status: 404, headers: {} };
  const size = sizes.reduce((sum, each) => sum + each, 0);
  const { status, headers: given, range } = answerRange(asked, size, etag);
  const type = /^video\/[\w.+-]+$/.test(file.mime) ? file.mime : 'application/octet-stream';
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const response = { status, headers: { ...SAFE_HEADERS, ...headers, 'content-type': type } };
  if (!range) return response;
  const pieces = splitRange(sizes, range).map((piece) => ({ key: file.blobs[piece.index] ?? '', range: piece.range }));
  return { ...response, body: Readable.from(readPieces(blobs, pieces), { objectMode: false }) };
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
