/** The host of published files, whose signed URLs expire (`oe`: when, in hexadecimal seconds; `oh`: the signature). */
import { createHmac } from 'node:crypto';
import type { Route, SimulatorOptions } from '../contract.ts';
import { fileResponse, type StoredFile } from '../http/files.ts';
import { routesWith } from '../http/routes.ts';
import { DAY, SECOND } from '../time.ts';

/** Default lifetime of a URL in ms. The real one is not documented. */
export const FILE_LIFE_MS = 2 * DAY;

/** Returns a URL of a post's file that works from now on for a while. @param id digits */
export function fileUrl(options: SimulatorOptions, id: string, lifeMs = FILE_LIFE_MS): string {
  const expires = Math.floor((options.now() + lifeMs) / SECOND).toString(16);
  return `${options.baseUrl}/cdn/${id}.mp4?oe=${expires}&oh=${signatureOf(options, id, expires)}`;
}

/** @param fileOf returns the file of a post; undefined if the post does not exist (any more) */
export function fileRoute(
  options: SimulatorOptions,
  fileOf: (options: SimulatorOptions, id: string) => Promise<StoredFile | undefined>,
): Route {
  return routesWith(options)('GET', '/cdn/:file', async (_options, request) => {
    const id = (request.params.file ?? '').replace(/\.mp4$/, '');
    const expires = request.query.get('oe') ?? '';
    if (request.query.get('oh') !== signatureOf(options, id, expires))
      return { status: 403, body: 'URL signature mismatch' };
    if (Number.parseInt(expires, 16) * SECOND <= options.now()) return { status: 403, body: 'URL signature expired' };
    const file = await fileOf(options, id);
    return file ? fileResponse(options.blobs, request, file, `"${id}"`) : { status: 404, body: 'Content not found' };
  });
}

function signatureOf({ app }: SimulatorOptions, id: string, expires: string): string {
  return createHmac('sha256', app.clientSecret).update(`${id} ${expires}`).digest('hex').slice(0, 32);
}
