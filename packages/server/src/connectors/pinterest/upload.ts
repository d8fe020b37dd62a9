/** Media upload: its checkpoint, registering the media, and sending the file to Pinterest's storage as a form. */
import { z } from 'zod';
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { defineCheckpoint, emptyOf, textsOrNull } from '../kit/checkpoint.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { rejected, transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { multipartBody } from '../kit/multipart.ts';
import { transferMs } from '../kit/requests.ts';
import { failed, proceed } from '../kit/results.ts';
import { write } from './api.ts';
import { storeCode } from './classify.ts';
import { say } from './messages.ts';

/** Progress of a publish. The form's parameters grant access to the upload, so checkpoints are stored encrypted. */
const checkpoint = defineCheckpoint({
  /** Hash of the registered file. A different hash starts a new upload. */
  sha256: '',
  boardId: '',
  /** "" until the media is registered. */
  mediaId: '',
  uploadUrl: '',
  /** Form fields of the upload, unchanged from the response. */
  parameters: z.record(z.string().regex(/^[\w.-]+$/), z.string()).catch(() => ({})),
  /** When the file was uploaded, in ms since the epoch; 0 if it was not. */
  uploadedAt: 0,
  /** Pinterest has processed the video. */
  ready: false,
  polls: 0,
  /** Number of abandoned uploads. */
  restarts: 0,
  /** Ids of the pins with our text that existed before the first send; null if the board was not read yet. */
  seen: textsOrNull,
  /** A pin was sent, or was ready to be sent, from this checkpoint. */
  armed: false,
  /** Number of sends. */
  sends: 0,
  /** Time just before the first send, in ms since the epoch; 0 if unknown. */
  sentAt: 0,
  /** The media was gone after a send, and that send was verified. */
  doubted: false,
});
export type Progress = typeof checkpoint.empty;

export function progressOf(stored: JsonObject | null): Progress {
  const progress = checkpoint.parse(stored);
  // Older checkpoints have `sent` instead of a count.
  return { ...progress, sends: progress.sends || (stored?.sent === true ? 1 : 0) };
}

/** State of media that has not been registered. */
export const UNREGISTERED = emptyOf(
  checkpoint.empty,
  'mediaId',
  'uploadUrl',
  'parameters',
  'uploadedAt',
  'ready',
  'polls',
  'armed',
  'doubted',
);

/** Returns an object of strings whose names are valid form fields, or null. */
export function textsOf(value: unknown): Record<string, string> | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const pairs = Object.entries(value).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && /^[\w.-]+$/.test(pair[0]),
  );
  return pairs.length === Object.keys(value).length ? Object.fromEntries(pairs) : null;
}

const RESTART_MS: Delays = [0, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];

/** Registers the media and stores the upload form. @throws PlatformError */
export async function register({ session, media }: Work, progress: Progress): Promise<StepResult> {
  await session.spend('writes');
  const body = await write(session, '/media', { media_type: 'video' });
  const mediaId = textAt(body, 'media_id');
  const uploadUrl = textAt(body, 'upload_url');
  const parameters = textsOf(at(body, 'upload_parameters'));
  if (!/^\d+$/.test(mediaId) || !URL.canParse(uploadUrl) || !parameters)
    throw new PlatformError(transient(say('upload_without_url')));
  const registered = { ...progress, ...UNREGISTERED, sha256: media.sha256, mediaId, uploadUrl, parameters };
  return proceed(registered, say('upload_opened'));
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
  const deadlineMs = transferMs(media.bytes, { responseMs: MINUTE, bytesPerMs: 50 });
  const response = await session.http({ method: 'POST', url: progress.uploadUrl, body, deadlineMs });
  const { status } = response;
  if (status >= 200 && status < 300) {
    const uploaded = { ...progress, parameters: {}, uploadUrl: '', uploadedAt: session.now() };
    return proceed(uploaded, say('upload_processing'), SECOND);
  }
  const platformCode = storeCode(response);
  const problem = { status, ...(platformCode ? { platformCode } : {}) };
  const code = platformCode || status;
  if (platformCode === 'EntityTooLarge') return failed({ ...problem, ...rejected('video', say('file_too_large')) });
  if (status >= 400 && status < 500) return restart(progress, say('upload_rejected', { code }));
  return failed({ ...problem, ...transient(say('status_unexpected', { status: code })) });
}

/** Registers and uploads again, with growing delays. The snapshot of the board from before the first send is kept. */
export function restart(progress: Progress, reason: Message): StepResult {
  const { restarts } = progress;
  const again = { ...progress, ...UNREGISTERED, restarts: restarts + 1 };
  return proceed(again, say('upload_restarted', { reason }), delayAfter(RESTART_MS, restarts));
}
