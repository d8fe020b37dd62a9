import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Blobs, PublishedEntry } from '../contract.ts';
import { fileResponse } from '../http/files.ts';

/** Sends the media a platform received, or the requested range; 404 when the bytes are gone. */
export async function sendMedia(
  request: IncomingMessage,
  response: ServerResponse,
  entry: PublishedEntry,
  blobs: Blobs,
): Promise<void> {
  const { status, headers, body } = await fileResponse(blobs, request, entry, `"${entry.sha256}"`);
  response.writeHead(status, headers);
  if (!body || request.method === 'HEAD') return void response.end();
  // Viewers often disconnect early.
  await pipeline(body, response).catch(() => {});
}
