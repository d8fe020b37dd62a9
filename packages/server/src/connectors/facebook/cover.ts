/** Custom thumbnails for reels (`POST /{video}/thumbnails`), accepted for videos of a Page. */
import { Readable } from 'node:stream';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Cover, Work } from '../contract.ts';
import { tryCover } from '../kit/cover.ts';
import { at } from '../kit/json.ts';
import { multipartBody } from '../kit/multipart.ts';
import { signed, VERSION } from './api.ts';
import type { Upload } from './checkpoint.ts';
import { failureOf } from './classify.ts';

/**
 * Sets the thumbnail of a published reel. A failure is only noted, because the reel exists either way. The next poll
 * completes the post.
 */
export async function withCover(work: Work, upload: Upload): Promise<ConfirmResult> {
  const trouble = await tryCover(work.media, (cover) => send(work, upload, cover));
  const note = trouble
    ? `Published; Facebook did not take the picture for it. ${trouble}`
    : 'Published, with the picture of the chosen moment.';
  return { then: 'confirming', checkpoint: { ...upload, covered: true }, afterMs: 0, note };
}

/** @throws PlatformError, NetworkError */
async function send({ session }: Work, upload: Upload, { bytes, mime }: Cover): Promise<void> {
  const fields = Object.entries(signed(session, upload.pageToken, { is_preferred: 'true' }));
  const open = async () => Readable.from([bytes], { objectMode: false });
  const answer = await session.http({
    method: 'POST',
    url: `${session.endpoints.graph}/${VERSION}/${upload.videoId}/thumbnails`,
    body: multipartBody([
      ...fields.map(([name, value]) => ({ name, value })),
      { name: 'source', filename: 'cover.jpg', type: mime, length: bytes.length, open },
    ]),
  });
  if (answer.status !== 200 || at(answer.tryJson(), 'success') !== true) throw new PlatformError(failureOf(answer));
}
