/** The irreversible request: the last byte of the last chunk publishes the video. */
import type { CommitPlan, ConfirmResult, JsonObject, Work } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { uploadOf } from './checkpoint.ts';
import { chunkWith, planOf } from './chunks.ts';
import { askAgain, askStatus, followed, isForgotten } from './status.ts';
import { chunkRequest } from './transfer.ts';
import { findPublic } from './verify.ts';

export const commit: CommitPlan = {
  async request({ media }, checkpoint) {
    const upload = uploadOf(checkpoint);
    const last = chunkWith(planOf(media.bytes, upload.chunkSize), media.bytes);
    return chunkRequest(media, upload.uploadUrl, last);
  },
  // Per the Media Transfer Guide, 400 means unreadable headers or a wrong size: nothing was accepted.
  // 403 and 404 (expired URL, unknown upload) and 416 (bytes already received) may also follow an earlier send that
  // succeeded.
  // An intermediary may return a 5xx while TikTok still processes the request.
  // Only `status/fetch` can settle all of these.
  answers: [
    { status: 201, proves: 'done' },
    { status: 400, proves: 'notYet' },
  ],
  codeOf: (answer) => textAt(answer.tryJson(), 'error', 'code'),
  failureOf: (answer) => ({
    kind: 'transient',
    status: answer.status,
    detail: `TikTok did not take the last part (it answered ${answer.status}).`,
  }),
  done: (_work, checkpoint) => ({
    then: 'confirming',
    checkpoint: { ...uploadOf(checkpoint) },
    afterMs: 1_000,
    note: 'TikTok has the whole video and is processing it.',
  }),
};

/** Polls until TikTok has published the video or reports why it did not. @throws PlatformError */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { session, post, media } = work;
  const upload = uploadOf(checkpoint);
  try {
    return followed(session, upload, await askStatus(session, upload.publishId, media.bytes));
  } catch (error) {
    if (!isForgotten(error)) throw error;
  }
  const known = { text: post.text, durationMs: media.durationMs, committedAt: upload.offeredAt };
  const found = await findPublic(work, upload, known);
  if (found.then === 'posted') return found;
  return askAgain(upload, 'TikTok does not know this upload any more.');
}
