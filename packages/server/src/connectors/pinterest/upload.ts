/** Media upload: registers the media and sends the file to Pinterest's storage as a multipart form. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { StepResult, Work } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { multipartBody } from '../kit/multipart.ts';
import { write } from './api.ts';
import { type Progress, textsOf, UNREGISTERED } from './checkpoint.ts';
import { storeCode } from './classify.ts';

/** Minimum upload rate in bytes per ms. It sets the deadline of the upload. */
const SLOWEST_UPLINK = 50;
const ANSWER_MS = 60_000;
const RESTART_PAUSE_MS = [0, 60_000, 300_000, 900_000];
const RESTART_LATER_MS = 1_800_000;

/** Registers the media and stores the upload form. @throws PlatformError */
export async function register({ session, media }: Work, progress: Progress): Promise<StepResult> {
  await session.spend('writes');
  const body = await write(session, '/media', { media_type: 'video' });
  const mediaId = textAt(body, 'media_id');
  const uploadUrl = textAt(body, 'upload_url');
  const parameters = textsOf((body as { upload_parameters?: unknown }).upload_parameters);
  if (!/^\d+$/.test(mediaId) || !URL.canParse(uploadUrl) || !parameters)
    throw new PlatformError({ kind: 'transient', detail: 'Pinterest registered a video without a way to send it.' });
  const checkpoint = { ...progress, ...UNREGISTERED, sha256: media.sha256, mediaId, uploadUrl, parameters };
  return { then: 'continue', checkpoint, note: 'Pinterest has registered the video.' };
}

/**
 * Sends the form fields first and the file last, with a Content-Length. The form carries its own permission, so no
 * token is sent.
 */
export async function upload(work: Work, progress: Progress): Promise<StepResult> {
  const { session, media } = work;
  const body = multipartBody([
    ...Object.entries(progress.parameters).map(([name, value]) => ({ name, value })),
    {
      name: 'file',
      filename: media.container === 'mov' ? 'video.mov' : 'video.mp4',
      type: media.container === 'mov' ? 'video/quicktime' : 'video/mp4',
      length: media.bytes,
      open: () => media.stream(),
    },
  ]);
  const deadlineMs = ANSWER_MS + Math.ceil(media.bytes / SLOWEST_UPLINK);
  const answer = await session.http({ method: 'POST', url: progress.uploadUrl, body, deadlineMs });
  if (answer.status >= 200 && answer.status < 300) {
    const checkpoint = { ...progress, parameters: {}, uploadUrl: '', uploadedAt: session.now() };
    return { then: 'continue', checkpoint, afterMs: 1_000, note: 'Uploaded; Pinterest works on it.' };
  }
  const code = storeCode(answer);
  const told = { status: answer.status, ...(code ? { platformCode: code } : {}) };
  if (code === 'EntityTooLarge')
    return { then: 'failed', failure: { ...told, kind: 'rejected', what: 'video', detail: 'The file is too large.' } };
  if (answer.status >= 400 && answer.status < 500)
    return restart(progress, `The store refused the upload (${code || answer.status}).`);
  return {
    then: 'failed',
    failure: { ...told, kind: 'transient', detail: `The store answered ${code || answer.status}.` },
  };
}

/** Registers and uploads again, with growing delays. The snapshot of the board from before the first send is kept. */
export function restart(progress: Progress, why: string): StepResult {
  return {
    then: 'continue',
    checkpoint: { ...progress, ...UNREGISTERED, restarts: progress.restarts + 1 },
    afterMs: RESTART_PAUSE_MS[progress.restarts] ?? RESTART_LATER_MS,
    note: `${why} Sending the video again.`,
  };
}
