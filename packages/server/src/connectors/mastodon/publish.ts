/**
 * Steps before the irreversible request: upload the video and poll until the server has processed it. Repeating an
 * upload is safe, because media without a status is deleted within a day.
 */
import { Readable } from 'node:stream';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { tryCover } from '../kit/cover.ts';
import { rejected } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { multipartBody } from '../kit/multipart.ts';
import { bearer, transferMs } from '../kit/requests.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { ask, baseOf } from './api.ts';
import { type Progress, progressOf } from './checkpoint.ts';
import { failureOf } from './classify.ts';

/** After this processing time in ms, a poll no longer counts as progress and the deadline of the post applies. */
const PATIENCE_MS = 600_000;
const BROKEN_PAUSE_MS = 30_000;
const MAX_UPLOADS = 5;
const EXTENSION: Record<string, string> = { mov: 'mov', webm: 'webm', matroska: 'mkv', '3gp': '3gp' };

export function begin(work: Work): Promise<StepResult> {
  return upload(work, progressOf(null));
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const known = progressOf(checkpoint);
  if (known.sha256 !== work.media.sha256) return upload(work, progressOf(null));
  // An unchanged send number means that its send is not proven to have had no effect.
  const doubtful = known.doubtful || known.offeredFor === work.post.sendKey;
  const progress = { ...known, doubtful };
  return progress.mediaId === '' ? upload(work, progress) : poll(work, progress);
}

async function upload(work: Work, progress: Progress): Promise<StepResult> {
  const { session, media } = work;
  await session.spend('uploads');
  const body = multipartBody([
    {
      name: 'file',
      filename: `video.${EXTENSION[media.container] ?? 'mp4'}`,
      type: media.mime,
      length: media.bytes,
      open: () => media.stream(),
    },
  ]);
  const response = await session.http({
    method: 'POST',
    url: `${baseOf(session.endpoints, session.service)}/api/v2/media`,
    headers: bearer(session.secret),
    body,
    deadlineMs: transferMs(media.bytes, { answerMs: 60_000, bytesPerMs: 50 }),
  });
  const unused = { polls: 0, covered: false, offeredFor: 0, doubtful: false };
  const next = { ...progress, ...unused, sha256: media.sha256, uploads: progress.uploads + 1 };
  const attachment = response.tryJson();
  const mediaId = textAt(attachment, 'id');
  if ([200, 201, 202].includes(response.status) && mediaId) {
    const mediaUrl = textAt(attachment, 'url');
    const uploaded = { ...next, mediaId, mediaUrl, uploadedAt: session.now() };
    // Some servers process the video before they respond. Mastodon responds 202 without a URL.
    if (response.status !== 202 && mediaUrl) return ready(work, uploaded);
    return proceed(uploaded, 'Uploaded; the server works on it.', 1_000);
  }
  if (response.status === 500 && textAt(attachment, 'error') !== '')
    return broken(next, 'The server failed at the video.');
  return failed(failureOf(response, session.now(), 'media'));
}

async function poll(work: Work, progress: Progress): Promise<StepResult> {
  const { session } = work;
  const response = await ask(session, `/api/v1/media/${encodeURIComponent(progress.mediaId)}`);
  const mediaUrl = textAt(response.tryJson(), 'url');
  if (response.status === 200 && mediaUrl) return ready(work, { ...progress, mediaUrl });
  if (response.status === 200 || response.status === 206) return stillWorkedOn(work, progress);
  if (response.status === 422) return broken(progress, 'The server could not work on the video.');
  // Media attached to a status returns 404. An earlier send may have succeeded, regardless of its response.
  if (response.status === 404 && progress.offeredFor > 0)
    return verifyFirst(progress, 'The server no longer has the video for us.');
  if (response.status === 404 && at(response.tryJson(), 'error') !== undefined && progress.uploads < MAX_UPLOADS) {
    const checkpoint = { ...progress, mediaId: '', mediaUrl: '' };
    return proceed(checkpoint, 'The server no longer has the video; uploading it again.');
  }
  return failed(failureOf(response, session.now(), 'other'));
}

async function ready(work: Work, progress: Progress): Promise<StepResult> {
  const picture = progress.covered ? '' : ` ${await giveCover(work, progress.mediaId)}`;
  const checkpoint = { ...progress, covered: true, offeredFor: work.post.sendKey };
  return readyToCommit(checkpoint, `The video is ready.${picture}`);
}

function stillWorkedOn({ session }: Work, progress: Progress): StepResult {
  const note = 'The server still works on the video.';
  if (session.now() - progress.uploadedAt > PATIENCE_MS)
    return failed({ kind: 'transient', status: 206, detail: note });
  const polls = progress.polls + 1;
  // 1, 2, 3, 4, then every 5 seconds; every 15 after a minute.
  const afterMs = polls > 15 ? 15_000 : Math.min(polls + 1, 5) * 1_000;
  return proceed({ ...progress, polls }, note, afterMs);
}

/** Retries after the first failure, which may be temporary. A second failure rejects the video. */
function broken(progress: Progress, detail: string): StepResult {
  if (progress.broken > 0) return failed(rejected('video', detail));
  const checkpoint = { ...progress, mediaId: '', mediaUrl: '', broken: progress.broken + 1 };
  return proceed(checkpoint, `${detail} Trying once more.`, BROKEN_PAUSE_MS);
}

/**
 * Sets the preview picture of a video. Many servers do not support it; a failure does not fail the post. @returns text
 * for the timeline
 */
async function giveCover({ session, media }: Work, mediaId: string): Promise<string> {
  const trouble = await tryCover(media, async ({ bytes, mime }) => {
    const open = async () => Readable.from([bytes], { objectMode: false });
    const response = await session.http({
      method: 'PUT',
      url: `${baseOf(session.endpoints, session.service)}/api/v1/media/${encodeURIComponent(mediaId)}`,
      headers: bearer(session.secret),
      body: multipartBody([{ name: 'thumbnail', filename: 'cover.jpg', type: mime, length: bytes.length, open }]),
    });
    if (response.status !== 200) throw new PlatformError(failureOf(response, session.now(), 'other'));
  });
  return trouble
    ? `It has no picture of the chosen moment: ${trouble.text}`
    : 'It has the picture of the chosen moment.';
}
