/**
 * The steps before the irreversible request: Page token, upload session, all bytes.
 *
 * A session is abandoned only if Facebook reports that it cannot complete. It is never abandoned after a finish request
 * that may have worked.
 */
import { wordsOf } from '../../messages/message.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject, Session, StepResult, Work } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { transferMs } from '../kit/requests.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { askPageToken, asPage, graph, isGone, VERSION } from './api.ts';
import { UNOPENED, type Upload, uploadOf } from './checkpoint.ts';
import { type TransferRefusal, transferRefusal } from './classify.ts';
import { pollStatus, type VideoStatus } from './status.ts';

/** How long new uploads may be started, ms. After that the failure remains until the post's deadline ends it. */
const RESTART_FOR_MS = 24 * 3_600_000;
const RESTART_PAUSE_MS = [0, 60_000, 300_000, 900_000];
const PAUSE_LATER_MS = 1_800_000;
/** This many offset mismatches are retried at once; each further one adds this delay (ms). */
const FAST_MISMATCHES = 2;
const MISMATCH_PAUSE_MS = 30_000;
/** This many finish requests are sent without delay; later ones wait. */
const SWIFT_FINISHES = 3;

/** Fetches the Page token before each post, to detect a lost Page role early. */
export async function begin({ session }: Work): Promise<StepResult> {
  const pageToken = await askPageToken(session);
  await session.spend('reels');
  const upload: Upload = { ...UNOPENED, pageToken, firstOpenedAt: 0, restarts: 0 };
  return proceed(upload, 'Facebook lets us act for the Page.');
}

/** Opens the upload, sends the bytes that Facebook is missing, then offers the finish request. */
export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const upload = uploadOf(checkpoint);
  if (!upload.videoId) return open(work, upload);
  if (upload.uploaded && upload.finishes === 0) return offer(work, upload);
  let asked: { status: VideoStatus; pageToken: string };
  try {
    asked = await pollStatus(work.session, upload);
  } catch (error) {
    if (!isGone(error)) throw error;
    // A video that may have been published is not uploaded again.
    return upload.finishes > 0
      ? verifyFirst(upload, 'Facebook does not show the video any more; looking for the reel.')
      : restart(work, upload, 'Facebook does not know the upload.');
  }
  const { status, pageToken } = asked;
  const now: Upload = { ...upload, pageToken };
  switch (status.state) {
    case 'failed':
      return status.failure && status.failure.kind !== 'transient'
        ? failed(status.failure)
        : restart(work, now, wordsOf(status.failure?.detail ?? 'The upload failed.'));
    case 'expired':
      return restart(work, now, 'The upload ran out.');
    case 'untold':
      if (upload.finishes > 0)
        return verifyFirst(now, 'Facebook does not say how far the video is; looking for the reel.');
      return transfer(work, now, status.received ?? 0);
    case 'uploading':
      return transfer(work, now, status.received ?? 0);
    case 'uploaded':
      return offer(work, { ...now, uploaded: true });
    default:
      return verifyFirst({ ...now, uploaded: true }, 'Facebook has been asked to publish this already; making sure.');
  }
}

async function open({ session }: Work, upload: Upload): Promise<StepResult> {
  const { value, pageToken } = await asPage(session, upload.pageToken, (token) =>
    graph(session, 'POST', `/${session.remoteId}/video_reels`, token, { upload_phase: 'start' }),
  );
  const videoId = textAt(value, 'video_id');
  if (!/^\d+$/.test(videoId)) throw new PlatformError(transient('Facebook opened an upload without a number.'));
  const uploadUrl = addressOf(session, textAt(value, 'upload_url'), videoId);
  const firstOpenedAt = upload.firstOpenedAt || session.now();
  return proceed({ ...upload, ...UNOPENED, pageToken, videoId, uploadUrl, firstOpenedAt }, 'Upload opened.');
}

/** The given URL if it is Facebook's, because the Page token is sent there. Otherwise the documented URL. */
function addressOf({ endpoints }: Session, given: string, videoId: string): string {
  const url = URL.parse(given);
  const own = new URL(endpoints.upload ?? '');
  const isTheirs = url?.origin === own.origin || (url?.protocol === 'https:' && url.host.endsWith('.facebook.com'));
  return isTheirs ? given : `${own.href.replace(/\/$/, '')}/video-upload/${VERSION}/${videoId}`;
}

/** Sends the rest of the file in one request. If it breaks, the bytes that Facebook received still count. */
async function transfer({ session, media }: Work, upload: Upload, received: number): Promise<StepResult> {
  if (received >= media.bytes) return stray(upload, 'Facebook has all bytes and is not done with them.');
  const length = media.bytes - received;
  const response = await session.http({
    method: 'POST',
    url: upload.uploadUrl,
    headers: { authorization: `OAuth ${upload.pageToken}`, offset: String(received), file_size: String(media.bytes) },
    body: {
      kind: 'stream',
      length,
      type: 'application/octet-stream',
      open: () => media.stream({ first: received, last: media.bytes - 1 }),
    },
    deadlineMs: transferMs(length, { answerMs: 60_000, bytesPerMs: 125 }),
  });
  if (response.status === 200 && at(response.tryJson(), 'success') === true) {
    const note = `Sent ${length} of ${media.bytes} bytes.`;
    return proceed({ ...upload, uploaded: true, strays: 0 }, note);
  }
  return afterRefusal({ session }, upload, transferRefusal(response));
}

async function afterRefusal(
  work: Pick<Work, 'session'>,
  upload: Upload,
  refusal: TransferRefusal,
): Promise<StepResult> {
  switch (refusal.is) {
    case 'stray':
      return stray(upload, 'Facebook has other bytes than we thought; going on from there.');
    case 'token':
      // The next poll finds out whether the token was invalid and fetches a new one.
      return stray({ ...upload, pageToken: '' }, 'The upload host did not accept the token of the Page.');
    case 'lost':
      return restart(work, upload, `Facebook gave up the upload. ${refusal.words}`.trim());
    case 'other':
      throw new PlatformError(refusal.failure);
  }
}

function stray(upload: Upload, note: string): StepResult {
  const strays = upload.strays + 1;
  const afterMs = Math.max(0, strays - FAST_MISMATCHES) * MISMATCH_PAUSE_MS;
  return proceed({ ...upload, strays }, note, afterMs);
}

/** All bytes are uploaded; the finish request publishes. Repeated requests without effect are delayed more and more. */
function offer({ session }: Pick<Work, 'session'>, upload: Upload): StepResult {
  const now = session.now();
  const turn = upload.offeredAt + Math.max(0, upload.finishes + 1 - SWIFT_FINISHES) * PAUSE_LATER_MS;
  if (upload.finishes >= SWIFT_FINISHES && now < turn) {
    const note = `Facebook did not publish it although it was asked ${upload.finishes} times; asking once more later.`;
    return proceed(upload, note, turn - now);
  }
  const offered: Upload = { ...upload, finishes: upload.finishes + 1, offeredAt: now, polls: 0 };
  return readyToCommit(offered, 'Asking Facebook to publish the reel.');
}

function restart({ session }: Pick<Work, 'session'>, upload: Upload, why: string): StepResult {
  if (upload.firstOpenedAt > 0 && session.now() - upload.firstOpenedAt > RESTART_FOR_MS)
    return failed(transient(`${why} No upload of this video came to its end.`));
  const afterMs = RESTART_PAUSE_MS[upload.restarts] ?? PAUSE_LATER_MS;
  const fresh: Upload = { ...upload, ...UNOPENED, restarts: upload.restarts + 1 };
  return proceed(fresh, `${why} Beginning another upload.`, afterMs);
}
