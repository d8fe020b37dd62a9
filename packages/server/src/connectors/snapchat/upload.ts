/** Media upload: create the media with its own key, send encrypted parts, finalize. All steps are safe to repeat. */
import { randomBytes } from 'node:crypto';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Json, StepResult, Work } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { type MultipartPart, multipartBody } from '../kit/multipart.ts';
import { call, ownPath } from './api.ts';
import { type Progress, UNMADE } from './checkpoint.ts';
import { encipher, partCount, partOf, type Sealed } from './parts.ts';

/** Minimum upload rate in bytes per ms. It sets the deadline of a part. */
const SLOWEST_UPLINK = 50;
const ANSWER_MS = 60_000;
/** Delay in ms before the first send, because transcoding takes a while. */
const FIRST_TRY_AFTER_MS = 5_000;
const RESTART_PAUSE_MS = [0, 60_000, 300_000, 900_000];
const RESTART_LATER_MS = 1_800_000;

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
    throw new PlatformError({ kind: 'transient', detail: 'Snapchat made media without a way to send them.' });
  const made = { sha256: media.sha256, key, chain: iv, mediaId, addPath, finalizePath, createdAt: session.now() };
  return { then: 'continue', checkpoint: { ...progress, ...UNMADE, ...made }, note: 'Snapchat has made the media.' };
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
  const deadlineMs = ANSWER_MS + Math.ceil(part.length / SLOWEST_UPLINK);
  const body = multipartBody([...fields, file]);
  const answer = await sending(progress, () => call(session, 'POST', progress.addPath, { body, deadlineMs }));
  if (answer.restarted) return answer.restarted;
  // A response before the last byte does not acknowledge the part.
  if (sealed.bytes !== part.length)
    throw new PlatformError({ kind: 'transient', detail: 'Snapchat answered before it had the whole part.' });
  const checkpoint = { ...progress, parts: part.number, chain: sealed.tail };
  return { then: 'continue', checkpoint, note: `Sent part ${part.number} of ${partCount(media.bytes)}.` };
}

/** Finalizes the upload. @throws PlatformError */
export async function finalize({ session }: Work, progress: Progress): Promise<StepResult> {
  const body = multipartBody([{ name: 'action', value: 'FINALIZE' }]);
  const answer = await sending(progress, () => call(session, 'POST', progress.finalizePath, { body }));
  if (answer.restarted) return answer.restarted;
  return {
    then: 'continue',
    checkpoint: { ...progress, finalizedAt: session.now() },
    afterMs: session.sandbox ? 0 : FIRST_TRY_AFTER_MS,
    note: 'Uploaded; Snapchat works on it.',
  };
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
      return { restarted: restart(progress, failure.detail) };
    throw error;
  }
}

/** Starts again with a new key, with growing delays. The snapshot of the list from before the first send is kept. */
export function restart(progress: Progress, why: string): StepResult {
  return {
    then: 'continue',
    checkpoint: { ...progress, ...UNMADE, restarts: progress.restarts + 1 },
    afterMs: RESTART_PAUSE_MS[progress.restarts] ?? RESTART_LATER_MS,
    note: `${why} Sending the video again.`,
  };
}
