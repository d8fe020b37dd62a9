/** Media upload: the checkpoint, and its requests. All steps are safe to repeat. */

import { randomBytes } from 'node:crypto';
import { wordsOf } from '../../messages/message.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Json, StepResult, Work } from '../contract.ts';
import { defineCheckpoint, emptyOf, textsOrNull } from '../kit/checkpoint.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { type MultipartPart, multipartBody } from '../kit/multipart.ts';
import { transferMs } from '../kit/requests.ts';
import { proceed } from '../kit/results.ts';
import { call, ownPath } from './api.ts';
import { encipher, partCount, partOf, type Sealed } from './parts.ts';

/** Progress of a publish. It contains the video's encryption key, so checkpoints are stored encrypted. */
export const { empty: NEW, parse: progressOf } = defineCheckpoint({
  /** Hash of the file being sent. A different hash starts a new upload. */
  sha256: '',
  /** AES key, base64. */
  key: '',
  /** CBC chaining value for the next part: the IV, then the last block of each part. Base64. */
  chain: '',
  /** "" until the media is created. */
  mediaId: '',
  addPath: '',
  finalizePath: '',
  /** ms since the epoch. Media is usable for one day. */
  createdAt: 0,
  /** Number of uploaded parts. */
  parts: 0,
  /** ms since the epoch; 0 if not finalized. */
  finalizedAt: 0,
  /** Number of abandoned uploads. */
  restarts: 0,
  /** The list was read for this send. */
  looked: false,
  /** Ids of the spotlights with our text that existed before the first send; null if the list could not be read. */
  seen: textsOrNull,
  /** A spotlight was sent, or was ready to be sent, from this checkpoint. */
  armed: false,
  /** When the first send was prepared, in ms since the epoch; 0 if it was not. */
  sentAt: 0,
  /** "" until Snapchat has accepted the spotlight. */
  spotlightId: '',
  acceptedAt: 0,
  /** Number of polls for the review. */
  polls: 0,
});
export type Progress = typeof NEW;

/** State of a video whose media has not been created. */
export const UNMADE = emptyOf(
  NEW,
  'key',
  'chain',
  'mediaId',
  'addPath',
  'finalizePath',
  'createdAt',
  'parts',
  'finalizedAt',
  'looked',
  'armed',
);

/** Delay in ms before the first send, because transcoding takes a while. */
const FIRST_TRY_AFTER_MS = 5_000;
const RESTART_MS: Delays = [0, 60_000, 300_000, 900_000, 1_800_000];

/** Creates the media with a new key. @throws PlatformError */
export async function create({ session, post, media }: Work, progress: Progress): Promise<StepResult> {
  const key = randomBytes(32).toString('base64');
  const iv = randomBytes(16).toString('base64');
  const path = `/v1/public_profiles/${encodeURIComponent(session.remoteId)}/media`;
  const json = { type: 'VIDEO', name: post.targetId, key, iv };
  const body = await call(session, 'POST', path, { json });
  const mediaId = textAt(body, 'media_id');
  const api = session.endpoints.api ?? '';
  const addPath = ownPath(textAt(body, 'add_path'), api);
  const finalizePath = ownPath(textAt(body, 'finalize_path'), api);
  if (!mediaId || !addPath || !finalizePath)
    throw new PlatformError(transient('Snapchat made media without a way to send them.'));
  const made = { sha256: media.sha256, key, chain: iv, mediaId, addPath, finalizePath, createdAt: session.now() };
  return proceed({ ...progress, ...UNMADE, ...made }, 'Snapchat has made the media.');
}

/** Encrypts and sends the next part. @throws PlatformError */
export async function addPart({ session, media }: Work, progress: Progress): Promise<StepResult> {
  const part = partOf(media.bytes, progress.parts + 1);
  const sealed: Sealed = { bytes: 0, tail: '' };
  const file: MultipartPart = {
    name: 'file',
    filename: `part-${part.number}`,
    type: 'application/octet-stream',
    length: part.length,
    open: () => encipher(media, part, progress.key, progress.chain, sealed),
  };
  const fields = [
    { name: 'action', value: 'ADD' },
    { name: 'part_number', value: String(part.number) },
  ];
  const deadlineMs = transferMs(part.length, { answerMs: 60_000, bytesPerMs: 50 });
  const body = multipartBody([...fields, file]);
  const response = await sending(progress, () => call(session, 'POST', progress.addPath, { body, deadlineMs }));
  if (response.restarted) return response.restarted;
  // A response before the last byte does not acknowledge the part.
  if (sealed.bytes !== part.length)
    throw new PlatformError(transient('Snapchat answered before it had the whole part.'));
  const sent = { ...progress, parts: part.number, chain: sealed.tail };
  return proceed(sent, `Sent part ${part.number} of ${partCount(media.bytes)}.`);
}

/** Finalizes the upload. @throws PlatformError */
export async function finalize({ session }: Work, progress: Progress): Promise<StepResult> {
  const body = multipartBody([{ name: 'action', value: 'FINALIZE' }]);
  const response = await sending(progress, () => call(session, 'POST', progress.finalizePath, { body }));
  if (response.restarted) return response.restarted;
  const finalized = { ...progress, finalizedAt: session.now() };
  return proceed(finalized, 'Uploaded; Snapchat works on it.', session.sandbox ? 0 : FIRST_TRY_AFTER_MS);
}

/**
 * Sends a request of the upload and restarts if the media is gone. A rejection also restarts once: it may result from
 * repeating a request whose response was lost, which Snapchat does not document. @throws PlatformError
 */
async function sending(progress: Progress, send: () => Promise<Json>): Promise<{ restarted?: StepResult }> {
  try {
    await send();
    return {};
  } catch (error) {
    const failure = error instanceof PlatformError ? error.failure : null;
    if (failure?.platformCode === 'MEDIA_EXPIRED' || (failure?.status === 404 && failure.platformCode !== undefined))
      return { restarted: restart(progress, 'Snapchat does not have the upload any more.') };
    if (failure?.kind === 'rejected' && progress.restarts === 0)
      return { restarted: restart(progress, wordsOf(failure.detail)) };
    throw error;
  }
}

/** Starts again with a new key, with growing delays. The snapshot of the list from before the first send is kept. */
export function restart(progress: Progress, why: string): StepResult {
  const { restarts } = progress;
  const again = { ...progress, ...UNMADE, restarts: restarts + 1 };
  return proceed(again, `${why} Sending the video again.`, delayAfter(RESTART_MS, restarts));
}
