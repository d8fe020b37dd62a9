/**
 * The steps (upload the video, and poll until the server has processed it), and the request that creates the status.
 * Repeating an upload is safe, because media without a status is deleted within a day.
 */
import { Readable } from 'node:stream';
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, ConfirmResult, JsonObject, StepResult, Work } from '../contract.ts';
import { tryCover } from '../kit/cover.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { rejected, transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { multipartBody } from '../kit/multipart.ts';
import { bearer, transferMs } from '../kit/requests.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { ask, baseOf } from './api.ts';
import { keyOf, type Progress, progressOf } from './checkpoint.ts';
import { codeOf, failureOf, UNACCEPTABLE } from './classify.ts';
import { statusParameters, visibilityOf } from './limits.ts';
import { say } from './messages.ts';
import { publishedFrom } from './verify.ts';

/** After this processing time in ms, a poll no longer counts as progress and the deadline of the post applies. */
const PATIENCE_MS = 10 * MINUTE;
const RETRY_PAUSE_MS = 30 * SECOND;
/** Delay after a send that created nothing, for an unknown reason, by the number of resends. */
const RESEND_DELAYS_MS: Delays = [0, 0, 0, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR];
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
    deadlineMs: transferMs(media.bytes, { responseMs: MINUTE, bytesPerMs: 50 }),
  });
  const unused = { polls: 0, covered: false, offeredFor: 0, offeredAt: 0, resends: 0, doubtful: false };
  const next = { ...progress, ...unused, sha256: media.sha256, uploads: progress.uploads + 1 };
  const attachment = response.tryJson();
  const mediaId = textAt(attachment, 'id');
  if ([200, 201, 202].includes(response.status) && mediaId) {
    const mediaUrl = textAt(attachment, 'url');
    const uploaded = { ...next, mediaId, mediaUrl, uploadedAt: session.now() };
    // Some servers process the video before they respond. Mastodon responds 202 without a URL.
    if (response.status !== 202 && mediaUrl) return ready(work, uploaded);
    return proceed(uploaded, say('upload_processing'), SECOND);
  }
  if (response.status === 500 && textAt(attachment, 'error') !== '') return processingFailed(next);
  return failed(failureOf(response, session.now(), 'media'));
}

async function poll(work: Work, progress: Progress): Promise<StepResult> {
  const { session } = work;
  const response = await ask(session, `/api/v1/media/${encodeURIComponent(progress.mediaId)}`);
  const mediaUrl = textAt(response.tryJson(), 'url');
  if (response.status === 200 && mediaUrl) return ready(work, { ...progress, mediaUrl });
  if (response.status === 200 || response.status === 206) return processing(work, progress);
  if (response.status === 422) return processingFailed(progress);
  // Media attached to a status returns 404. An earlier send may have succeeded, regardless of its response.
  if (response.status === 404 && progress.offeredFor > 0)
    return verifyFirst(progress, say('verify_first', { reason: say('upload_unknown') }));
  if (response.status === 404 && at(response.tryJson(), 'error') !== undefined && progress.uploads < MAX_UPLOADS) {
    const checkpoint = { ...progress, mediaId: '', mediaUrl: '' };
    return proceed(checkpoint, say('upload_restarted', { reason: say('upload_unknown') }));
  }
  return failed(failureOf(response, session.now(), 'other'));
}

async function ready(work: Work, progress: Progress): Promise<StepResult> {
  const { sendKey } = work.post;
  const now = work.session.now();
  const resends = progress.offeredFor === sendKey ? progress.resends + 1 : 0;
  const delayMs = resends === 0 ? 0 : progress.offeredAt + delayAfter(RESEND_DELAYS_MS, resends) - now;
  if (delayMs > 0) return proceed(progress, say('publish_again_later', { sends: resends }), delayMs);
  const note = progress.covered ? say('processed') : await setCover(work, progress.mediaId);
  return readyToCommit({ ...progress, covered: true, offeredFor: sendKey, offeredAt: now, resends }, note);
}

function processing({ session }: Work, progress: Progress): StepResult {
  const note = say('processing');
  if (session.now() - progress.uploadedAt > PATIENCE_MS) return failed({ ...transient(note), status: 206 });
  const polls = progress.polls + 1;
  // 1, 2, 3, 4, then every 5 seconds; every 15 after a minute.
  const afterMs = (polls > 15 ? 15 : Math.min(polls + 1, 5)) * SECOND;
  return proceed({ ...progress, polls }, note, afterMs);
}

/** Retries after the first failure, which may be temporary. A second failure rejects the video. */
function processingFailed(progress: Progress): StepResult {
  const reason = say('video_not_processed');
  if (progress.broken > 0) return failed(rejected('video', reason));
  const checkpoint = { ...progress, mediaId: '', mediaUrl: '', broken: progress.broken + 1 };
  return proceed(checkpoint, say('upload_restarted', { reason }), RETRY_PAUSE_MS);
}

/** Sets the cover of a video, and returns a note. Many servers do not support it; a failure does not fail the post. */
async function setCover({ session, media }: Work, mediaId: string) {
  const problem = await tryCover(media, async ({ bytes, mime }) => {
    const open = async () => Readable.from([bytes], { objectMode: false });
    const response = await session.http({
      method: 'PUT',
      url: `${baseOf(session.endpoints, session.service)}/api/v1/media/${encodeURIComponent(mediaId)}`,
      headers: bearer(session.secret),
      body: multipartBody([{ name: 'thumbnail', filename: 'cover.jpg', type: mime, length: bytes.length, open }]),
    });
    if (response.status !== 200) throw new PlatformError(failureOf(response, session.now(), 'other'));
  });
  return problem ? say('without_cover', { reason: problem }) : say('cover_set');
}

export const commit: CommitPlan = {
  async request({ session, post }, checkpoint) {
    const visibility = visibilityOf(post, session);
    return {
      method: 'POST',
      url: `${baseOf(session.endpoints, session.service)}/api/v1/statuses`,
      headers: { ...bearer(session.secret), 'Idempotency-Key': keyOf(post) },
      body: {
        kind: 'bytes',
        type: 'application/json; charset=UTF-8',
        bytes: JSON.stringify({
          // Hollo responds 400 to an empty text.
          ...(post.text ? { status: post.text } : {}),
          media_ids: [progressOf(checkpoint).mediaId],
          // Sent explicitly, because other servers do not fall back to the user's own setting.
          ...(visibility && { visibility }),
          ...statusParameters(post),
        }),
      },
      deadlineMs: MINUTE,
    };
  },
  // An access error never reached the status, and neither did a request that the server could not accept: Hollo and
  // GoToSocial validate it before they store anything, and Rails rejects it before the action runs. Other 4xx and 5xx
  // responses prove nothing. 422 or 404 can follow an earlier send that succeeded; 503 is also returned to a second
  // request while its key is in use.
  responses: [
    { status: 200, proves: 'done' },
    { status: 401, proves: 'retryable' },
    { status: 429, proves: 'retryable' },
    ...UNACCEPTABLE.map((status) => ({ status, code: 'api', proves: 'refused' as const })),
    { status: 403, code: 'api', proves: 'refused' },
    { status: 422, code: 'invalid', proves: 'refused' },
    { status: 422, code: 'not_processed', proves: 'retryable' },
  ],
  codeOf,
  failureOf: (response, now) => failureOf(response, now, 'status'),
  done,
};

/** @throws TypeError if the response is not a status */
function done(work: Work, checkpoint: JsonObject, response: HttpResponse): ConfirmResult {
  const status = response.json();
  const { remoteId, url, publishedAt } = publishedFrom(status);
  // A scheduled status has an id too, but is not posted yet.
  if (!remoteId || at(status, 'scheduled_at') !== undefined || textAt(status, 'account', 'id') === '')
    throw new TypeError('The response is not a status.');
  return {
    then: 'confirming',
    checkpoint: {
      ...checkpoint,
      statusId: remoteId,
      url: url ?? '',
      visibility: textAt(status, 'visibility'),
      publishedAt,
      acceptedAt: work.session.now(),
    },
    afterMs: SECOND,
    note: say('published_processing'),
  };
}
