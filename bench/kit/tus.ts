/** Sends a video as one piece of a resumable upload, from memory, and removes it again. */
import { createHash } from 'node:crypto';
import http from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Sent } from './upload.ts';

const PIECE = 1024 * 1024;

/** @param options.checksum sends the hash of the piece with it @throws Error with the answer when it is not 204 */
export async function uploadByTus(
  url: string,
  video: Buffer,
  key: string,
  { checksum = false }: { checksum?: boolean } = {},
): Promise<Sent> {
  const headers = { authorization: `Bearer ${key}`, 'tus-resumable': '1.0.0' };
  const made = await fetch(`${url}/api/v1/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(video.length) },
  });
  const place = new URL(made.headers.get('location') ?? '', url);
  if (made.status !== 201) throw new Error(`The upload was not taken: ${await made.text()}`);
  const hash: Record<string, string> = checksum
    ? { 'upload-checksum': `sha1 ${createHash('sha1').update(video).digest('base64')}` }
    : {};
  const sent = await sendPiece(place, video, { ...headers, ...hash });
  const removed = await fetch(place, { method: 'DELETE', headers });
  if (removed.status !== 204) throw new Error(`The upload was not removed: ${await removed.text()}`);
  return sent;
}

async function sendPiece(place: URL, video: Buffer, headers: Record<string, string>): Promise<Sent> {
  const request = http.request(place, {
    method: 'PATCH',
    agent: false,
    headers: {
      'content-type': 'application/offset+octet-stream',
      'content-length': video.length,
      'upload-offset': '0',
      ...headers,
    },
  });
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }));
    });
  });
  const began = performance.now();
  let sentMs = 0;
  request.once('finish', () => {
    sentMs = performance.now() - began;
  });
  for (let at = 0; at < video.length; at += PIECE) {
    const more = request.write(video.subarray(at, at + PIECE));
    if (!more) await Promise.race([new Promise((resolve) => request.once('drain', resolve)), answered]);
    else await turn();
  }
  request.end();
  const { status, body } = await answered;
  if (status !== 204) throw new Error(`The piece was answered ${status}: ${body.slice(0, 500)}`);
  return { sentMs, answeredMs: performance.now() - began, body };
}
