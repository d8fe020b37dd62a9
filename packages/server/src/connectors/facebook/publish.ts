/**
 * The steps before the irreversible request: Page token, upload session, all bytes. Then the finish request, which
 * publishes the reel even before the video is processed.
 *
 * A session is abandoned only if Facebook reports that it cannot complete. It is never abandoned after a finish request
 * that may have worked.
 */
import { DAY, MINUTE, SECOND } from '../../lib/time.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, JsonObject, Session, StepResult, Work } from '../contract.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { transient } from '../kit/failures.ts';
import { graphCode, graphRules, TOKEN_ERRORS } from '../kit/graph.ts';
import { hasSucceeded, resendDelay, uploadRest } from '../kit/graph-api.ts';
import { textAt } from '../kit/json.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { apiOf, asPage, currentToken, fetchPageToken, VERSION } from './api.ts';
import { failureOf, type TransferRefusal, transferRefusal, VIDEO_FLAWS } from './classify.ts';
import { say } from './messages.ts';
import { confirmLater, pollStatus, UNOPENED, type Upload, uploadOf } from './status.ts';

/** How long new uploads may be started, ms. After that the failure remains until the post's deadline ends it. */
const RESTART_FOR_MS = DAY;
const RESTART_MS: Delays = [0, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];
/** Polls after the transfer until Facebook says that the upload is complete. After that, missing bytes are sent again. */
const SETTLE_MS: Delays = [SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND];
const SETTLE_POLLS = 12;
/** This many offset mismatches are retried at once; each further one adds this delay (ms). */
const FAST_MISMATCHES = 2;
const MISMATCH_DELAY_MS = 30 * SECOND;
/** Transfers of a video that Facebook does not show, before another upload is opened. */
const MAX_UNREADABLE = 5;

type Reason = Parameters<typeof transient>[0];

/** Fetches the Page token before each post, to detect a lost Page role early. */
export async function begin({ session }: Work): Promise<StepResult> {
  const pageToken = await fetchPageToken(session);
  await session.spend('reels');
  const upload: Upload = { ...UNOPENED, pageToken, firstOpenedAt: 0, restarts: 0 };
  return proceed(upload, say('account_checked'));
}

/** Opens the upload, sends the bytes that Facebook is missing, then offers the finish request. */
export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const previous = uploadOf(checkpoint);
  if (!previous.videoId) return open(work, previous);
  const { status, pageToken } = await pollStatus(work.session, previous);
  const upload: Upload = { ...previous, pageToken };
  switch (status.state) {
    case 'gone': {
      const reason = say('upload_unknown');
      // A video that may have been published is not uploaded again.
      if (upload.finishes > 0) return verifyFirst(upload, say('verify_first', { reason }));
      // A video may be unreadable before its first byte.
      return upload.uploaded || upload.strays > MAX_UNREADABLE
        ? restart(work, upload, reason)
        : transfer(work, upload, 0);
    }
    case 'failed':
      return status.failure && status.failure.kind !== 'transient'
        ? failed(status.failure)
        : restart(work, upload, status.failure?.detail ?? say('upload_failed'));
    case 'expired':
      return restart(work, upload, say('upload_expired'));
    case 'untold':
      if (upload.finishes > 0) return verifyFirst(upload, say('verify_first', { reason: say('post_unconfirmed') }));
      return upload.uploaded ? offer(work, upload) : transfer(work, upload, status.received ?? 0);
    case 'uploading':
      // The transfer has succeeded, but the upload is complete only when Facebook reports it.
      if (upload.uploaded && upload.polls < SETTLE_POLLS)
        return proceed(
          { ...upload, polls: upload.polls + 1 },
          say('upload_processing'),
          delayAfter(SETTLE_MS, upload.polls),
        );
      return transfer(work, upload, status.received ?? 0);
    case 'uploaded':
      return offer(work, { ...upload, uploaded: true });
    default:
      // Only a finish request publishes, in every state.
      if (upload.finishes === 0 && upload.uploaded) return offer(work, upload);
      if (upload.finishes === 0) return transfer(work, upload, status.received ?? 0);
      return verifyFirst({ ...upload, uploaded: true }, say('publish_requested_before'));
  }
}

async function open({ session }: Work, upload: Upload): Promise<StepResult> {
  const { value, pageToken } = await asPage(session, upload.pageToken, (api) =>
    api.post(`${session.remoteId}/video_reels`, { upload_phase: 'start' }),
  );
  const videoId = textAt(value, 'video_id');
  if (!/^\d+$/.test(videoId)) throw new PlatformError(transient(say('response_incomplete')));
  const uploadUrl = uploadUrlOf(session, textAt(value, 'upload_url'), videoId);
  const firstOpenedAt = upload.firstOpenedAt || session.now();
  return proceed({ ...upload, ...UNOPENED, pageToken, videoId, uploadUrl, firstOpenedAt }, say('upload_opened'));
}

/** The given URL if it is Facebook's, because the Page token is sent there. Otherwise the documented URL. */
function uploadUrlOf({ endpoints }: Session, given: string, videoId: string): string {
  const url = URL.parse(given);
  const own = new URL(endpoints.upload ?? '');
  const isTheirs = url?.origin === own.origin || (url?.protocol === 'https:' && url.host.endsWith('.facebook.com'));
  return isTheirs ? given : `${own.href.replace(/\/$/, '')}/video-upload/${VERSION}/${videoId}`;
}

async function transfer({ session, media }: Work, upload: Upload, offset: number): Promise<StepResult> {
  if (offset >= media.bytes) return retryTransfer(upload, say('upload_processing'));
  const { uploadUrl: url, pageToken: token } = upload;
  const response = await uploadRest(session.http, { url, token, media, offset });
  if (!hasSucceeded(response)) return afterRefusal(session, upload, transferRefusal(response));
  const note = say('bytes_sent', { sentBytes: media.bytes - offset, totalBytes: media.bytes });
  return proceed({ ...upload, uploaded: true, strays: 0, polls: 0 }, note);
}

function afterRefusal(session: Session, upload: Upload, refusal: TransferRefusal): StepResult {
  switch (refusal.is) {
    case 'stray':
      return retryTransfer(upload, say('offset_rejected'));
    case 'token':
      // The next poll finds out whether the token was invalid and fetches a new one.
      return retryTransfer({ ...upload, pageToken: '' }, say('token_rejected'));
    case 'lost':
      return restart({ session }, upload, refusal.failure.detail);
    case 'other':
      throw new PlatformError(refusal.failure);
  }
}

function retryTransfer(upload: Upload, note: Reason): StepResult {
  const strays = upload.strays + 1;
  return proceed({ ...upload, strays }, note, Math.max(0, strays - FAST_MISMATCHES) * MISMATCH_DELAY_MS);
}

/** All bytes are uploaded; the finish request publishes. Repeated requests without effect are delayed more and more. */
function offer({ session }: Work, upload: Upload): StepResult {
  const { finishes: sends, offeredAt: sentAt } = upload;
  const now = session.now();
  const delayMs = resendDelay({ sends, sentAt }, now);
  if (delayMs > 0) return proceed(upload, say('publish_again_later', { sends }), delayMs);
  return readyToCommit({ ...upload, finishes: sends + 1, offeredAt: now, polls: 0 }, say('publishing'));
}

function restart({ session }: Pick<Work, 'session'>, upload: Upload, reason: Reason): StepResult {
  const { firstOpenedAt, restarts } = upload;
  if (firstOpenedAt > 0 && session.now() - firstOpenedAt > RESTART_FOR_MS)
    return failed(transient(say('restarts_exhausted', { reason })));
  const next: Upload = { ...upload, ...UNOPENED, restarts: restarts + 1 };
  return proceed(next, say('upload_restarted', { reason }), delayAfter(RESTART_MS, restarts));
}

/**
 * Facebook reports invalid tokens, rate limits and "posting too fast" before it acts. Before a resend, the status of
 * the video is polled.
 */
const NOT_YET = [
  ...TOKEN_ERRORS,
  ...['190/492', '4', '17', '32', '341', '613', '80001', '368/1390008', '6000/1363130', '100/1363130'],
];
/** Parameters, permissions and video problems, which Facebook validates first, and duplicate content. */
const REJECTED = [
  ...['100', '3', '10', '200', '210', '506', '368/1404082'],
  ...Object.keys(VIDEO_FLAWS).flatMap((flaw) => [flaw, `100/${flaw}`]),
];

/** The irreversible request. */
export const commit: CommitPlan = {
  async request({ session, post }, checkpoint) {
    const { pageToken, videoId } = uploadOf(checkpoint);
    const title = textAt(post.options, 'title');
    return apiOf(session, currentToken(session, pageToken)).publish(`${session.remoteId}/video_reels`, {
      upload_phase: 'finish',
      video_id: videoId,
      video_state: 'PUBLISHED',
      ...(post.text ? { description: post.text } : {}),
      ...(title ? { title } : {}),
    });
  },
  responses: [
    { status: 200, code: '', proves: 'done' },
    ...graphRules(NOT_YET, 'retryable'),
    ...graphRules(REJECTED, 'refused'),
  ],
  codeOf: graphCode,
  failureOf,
  done(_work, checkpoint, response) {
    if (!hasSucceeded(response)) throw new PlatformError({ kind: 'unknownOutcome', detail: say('post_unconfirmed') });
    return confirmLater({ ...uploadOf(checkpoint), polls: 0 }, say('published_processing'));
  },
};
