/** Sets the preview picture of a video (`thumbnail` of "Update media attachment") after the server has processed it. */
import { Readable } from 'node:stream';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Work } from '../contract.ts';
import { tryCover } from '../kit/cover.ts';
import { multipartBody } from '../kit/multipart.ts';
import { baseOf, bearer } from './api.ts';
import { failureOf } from './classify.ts';

/**
 * Sets the preview picture of a video. Many servers do not support it; a failure does not fail the post. @returns text
 * for the timeline
 */
export async function giveCover({ session, media }: Work, mediaId: string): Promise<string> {
  const trouble = await tryCover(media, async ({ bytes, mime }) => {
    const open = async () => Readable.from([bytes], { objectMode: false });
    const answer = await session.http({
      method: 'PUT',
      url: `${baseOf(session.endpoints, session.service)}/api/v1/media/${encodeURIComponent(mediaId)}`,
      headers: bearer(session.secret),
      body: multipartBody([{ name: 'thumbnail', filename: 'cover.jpg', type: mime, length: bytes.length, open }]),
    });
    if (answer.status !== 200) throw new PlatformError(failureOf(answer, session.now(), 'other'));
  });
  return trouble ? `It has no picture of the chosen moment: ${trouble}` : 'It has the picture of the chosen moment.';
}
