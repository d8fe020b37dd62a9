/** The last part: with its last byte the video is on the channel. */
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
  // Whatever else is said, the session answers for itself: a question is exact and costs nothing. 308 is also what
  // intermediaries redirect with, 4xx also what a send is told whose forerunner has worked.
  answers: [
    { status: 200, proves: 'done' },
    { status: 201, proves: 'done' },
  ],
  codeOf: reasonOf,
  done: (_work, checkpoint, answer) => watched(uploadOf(checkpoint), videoIdIn(answer)),
};

/** Gives the video its picture, then asks until YouTube has processed it or has said why not. @throws PlatformError */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const upload = uploadOf(checkpoint);
  if (!upload.covered) return withCover(work, upload);
  const part = 'snippet,status,processingDetails';
  const { items } = await list(work.session, 'videos', { part, id: upload.videoId });
  const [video] = items;
  const result = video === undefined ? missing(work.session, upload) : followed(work, upload, video);
  if (result.then !== 'failed' || result.failure.kind !== 'rejected' || result.failure.what !== 'duplicate')
    return result;
  // What it is a copy of may be an upload of this post that showed up later than anybody waited for.
  const former = await formerUpload(work, upload.videoId);
  return former ? watched(upload, former) : result;
}
