/** Sends a video from memory as one chunk of a resumable upload, and deletes the upload. */
import { createHash } from 'node:crypto';
import { type Sent, send } from './upload.ts';

/**
 * @param options.checksum sends the chunk's checksum with it
 * @throws Error with the response if it is not 204
 */
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
  const piece = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const sent = await send(place, 'PATCH', [video], { ...piece, ...headers, ...hash }, 204);
  const removed = await fetch(place, { method: 'DELETE', headers });
  if (removed.status !== 204) throw new Error(`The upload was not removed: ${await removed.text()}`);
  return sent;
}
