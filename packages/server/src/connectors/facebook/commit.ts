/**
 * The irreversible request: the finish phase publishes the reel, even before the video is processed. Then its thumbnail
 * is set (`POST /{video}/thumbnails`), which Facebook accepts for videos of a Page.
 */
import { Readable } from 'node:stream';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, ConfirmResult, Cover, JsonObject, Work } from '../contract.ts';
import { tryCover } from '../kit/cover.ts';
import { graphCode, graphPublish, graphRules } from '../kit/graph.ts';
import { at, textAt } from '../kit/json.ts';
import { multipartBody } from '../kit/multipart.ts';
import { failed } from '../kit/results.ts';
import { currentToken, isGone, signed, VERSION } from './api.ts';
import { type Upload, uploadOf } from './checkpoint.ts';
import { failureOf, VIDEO_FLAWS } from './classify.ts';
import { confirmLater, pollStatus, posted, RAN_OUT } from './status.ts';
import { findListed } from './verify.ts';

/**
 * Facebook reports invalid tokens, rate limits and "posting too fast" before it acts. Before a resend, the status of
 * the video is polled.
 */
const NOT_YET = [
  ...['190', '190/458', '190/459', '190/460', '190/463', '190/464', '190/467', '190/492', '102'],
  ...['4', '17', '32', '341', '613', '80001', '368/1390008'],
];
/** Parameters, permissions and video problems, which Facebook validates first, and duplicate content. */
const REFUSED = [
  ...['100', '3', '10', '200', '210', '506', '368/1404082'],
  ...Object.keys(VIDEO_FLAWS).flatMap((flaw) => [flaw, `100/${flaw}`]),
];

export const commit: CommitPlan = {
  async request({ session, post }, checkpoint) {
    const { pageToken, videoId } = uploadOf(checkpoint);
    const title = textAt(post.options, 'title');
    const form = signed(session, currentToken(session, pageToken), {
      upload_phase: 'finish',
      video_id: videoId,
      video_state: 'PUBLISHED',
      ...(post.text ? { description: post.text } : {}),
      ...(title ? { title } : {}),
    });
    return graphPublish(`${session.endpoints.graph}/${VERSION}/${session.remoteId}/video_reels`, form);
  },
  responses: [
    { status: 200, code: '', proves: 'done' },
    ...graphRules(NOT_YET, 'retryable'),
    ...graphRules(REFUSED, 'refused'),
  ],
  codeOf: graphCode,
  failureOf,
  done(_work, checkpoint, response) {
    if (at(response.tryJson(), 'success') !== true)
      throw new PlatformError({ kind: 'unknownOutcome', detail: 'It did not say that it has published the reel.' });
    return confirmLater({ ...uploadOf(checkpoint), polls: 0 }, 'Facebook has taken the reel and is publishing it.');
  },
};

/** Polls until the reel is published or Facebook reports why it is not. @throws PlatformError */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { session } = work;
  const upload = uploadOf(checkpoint);
  try {
    const { status, pageToken } = await pollStatus(session, upload);
    if (status.state === 'published' && !upload.covered) return await withCover(work, { ...upload, pageToken });
    if (status.state === 'published') return posted(session, upload, status, 'Published.');
    if (status.state === 'failed') return failed(status.failure ?? RAN_OUT);
    if (status.state === 'expired') return failed(RAN_OUT);
    return confirmLater({ ...upload, pageToken }, 'Facebook is working on the reel.');
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  const listed = await findListed(session, upload, upload.offeredAt, ({ id }) => id === upload.videoId);
  return listed ?? confirmLater(upload, 'Facebook does not show the video.');
}

/**
 * Sets the thumbnail of a published reel. A failure is only noted, because the reel exists either way. The next poll
 * completes the post.
 */
async function withCover(work: Work, upload: Upload): Promise<ConfirmResult> {
  const trouble = await tryCover(work.media, (cover) => send(work, upload, cover));
  const note = trouble
    ? `Published; Facebook did not take the picture for it. ${trouble.text}`
    : 'Published, with the picture of the chosen moment.';
  return { then: 'confirming', checkpoint: { ...upload, covered: true }, afterMs: 0, note };
}

/** @throws PlatformError, NetworkError */
async function send({ session }: Work, upload: Upload, { bytes, mime }: Cover): Promise<void> {
  const fields = Object.entries(signed(session, upload.pageToken, { is_preferred: 'true' }));
  const open = async () => Readable.from([bytes], { objectMode: false });
  const response = await session.http({
    method: 'POST',
    url: `${session.endpoints.graph}/${VERSION}/${upload.videoId}/thumbnails`,
    body: multipartBody([
      ...fields.map(([name, value]) => ({ name, value })),
      { name: 'source', filename: 'cover.jpg', type: mime, length: bytes.length, open },
    ]),
  });
  if (response.status !== 200 || at(response.tryJson(), 'success') !== true)
    throw new PlatformError(failureOf(response));
}
