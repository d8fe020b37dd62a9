/** The irreversible request: the last byte of the last part creates the video on the channel. */
import type { CommitPlan, ConfirmResult, JsonObject, Work } from '../contract.ts';
import { list } from './api.ts';
import { uploadOf } from './checkpoint.ts';
import { reasonOf } from './classify.ts';
import { withCover } from './cover.ts';
import { pieceRequest, videoIdIn } from './session.ts';
import { followed, missing, watched } from './state.ts';
import { formerUpload } from './uploads.ts';

export const commit: CommitPlan = {
  async request(work, checkpoint) {
    const upload = uploadOf(checkpoint);
    return pieceRequest(work, upload.uri, { first: upload.sent, last: work.media.bytes - 1 });
  },
  // Any other response is verified by querying the session, which is exact and free.
  // 308 is also used by intermediaries for redirects, and a 4xx may follow an earlier send that succeeded.
  answers: [
    { status: 200, proves: 'done' },
    { status: 201, proves: 'done' },
  ],
  codeOf: reasonOf,
  done: (_work, checkpoint, answer) => watched(uploadOf(checkpoint), videoIdIn(answer)),
};

/**
 * Sets the thumbnail, then polls until YouTube has processed the video or reports why it did not. @throws PlatformError
 */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const upload = uploadOf(checkpoint);
  if (!upload.covered) return withCover(work, upload);
  const part = 'snippet,status,processingDetails';
  const { items } = await list(work.session, 'videos', { part, id: upload.videoId });
  const [video] = items;
  const result = video === undefined ? missing(work.session, upload) : followed(work, upload, video);
  if (result.then !== 'failed' || result.failure.kind !== 'rejected' || result.failure.what !== 'duplicate')
    return result;
  // The original may be an earlier upload of this same post that became visible late.
  const former = await formerUpload(work, upload.videoId);
  return former ? watched(upload, former) : result;
}
