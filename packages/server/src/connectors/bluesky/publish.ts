/** Steps before the irreversible request: upload the video, wait for the video service, and freeze the record. */
import { NetworkError } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { MINUTE } from '../../time.ts';
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { rejected, setup } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { failed, proceed, readyToCommit } from '../kit/results.ts';
import { type Frozen, freshProgress, type Progress, progressOf, toCheckpoint } from './checkpoint.ts';
import { MAX_GRAPHEMES, MAX_TEXT_BYTES, MAX_VIDEO_BYTES } from './limits.ts';
import { type Pds, pdsOf } from './pds.ts';
import { newRecordKey, postRecord } from './record.ts';
import { graphemes, handlesIn } from './text.ts';
import { blobLimit, uploadBlob } from './upload.ts';
import { pollJob, sendPart, sendWhole, startVideo } from './video.ts';

/**
 * Maximum age of a frozen record in ms. An older one is not sent, because it could recreate a post that its owner
 * deleted.
 */
export const KEY_LIFE_MS = 60 * MINUTE;
/** Maximum age of a blob in ms. Servers delete unreferenced blobs after an undocumented time. */
const BLOB_LIFE_MS = 60 * MINUTE;
/** Maximum age of a blob in ms after a send without effect, because the blob may be gone. */
const DOUBTED_BLOB_LIFE_MS = 2 * MINUTE;
const MAX_MENTIONS = 20;
/** Deadline for resolving a handle in ms; the handle's own server may be slow. */
const RESOLVE_MS = 10_000;

export async function begin(work: Work): Promise<StepResult> {
  const { session, post, media } = work;
  const refusal = refusedBeforehand(work);
  if (refusal) return failed(refusal);
  const mentions = await didsOf(pdsOf(session), handlesIn(post.text).slice(0, MAX_MENTIONS));
  const by = session.extra.videoService === true && session.endpoints.video ? 'service-parts' : 'server';
  const to = by === 'server' ? "the account's server" : 'the video service';
  const progress = freshProgress(media.sha256, mentions, by);
  return proceed(toCheckpoint(progress), `The video goes to ${to}.`);
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const progress = progressOf(checkpoint);
  if (!progress || progress.sha256 !== work.media.sha256) return begin(work);
  switch (progress.phase) {
    case 'upload':
      if (progress.by === 'server') return uploadBlob(work, progress);
      return progress.by === 'service' ? sendWhole(work, progress) : startVideo(work, progress);
    case 'parts':
      return sendPart(work, progress);
    case 'job':
      return pollJob(work, progress);
    case 'uploaded':
      return freeze(work, progress);
  }
}

/** Reports what is certain to be rejected, without a call. */
function refusedBeforehand({ session, post, media }: Work): Failure | null {
  if (graphemes(post.text) > MAX_GRAPHEMES || Buffer.byteLength(post.text) > MAX_TEXT_BYTES)
    return rejected('caption', `The text is longer than ${MAX_GRAPHEMES} characters.`);
  const limit = session.extra.videoService === true ? MAX_VIDEO_BYTES : blobLimit(session.extra);
  if (media.bytes > limit) return rejected('video', `The video has ${media.bytes} bytes; ${limit} are allowed.`);
  if (session.extra.emailConfirmed === false && /\.bsky\.network$|\/\/bsky\.social$/.test(session.service))
    return setup("Bluesky wants the account's e-mail address confirmed before videos are posted.");
  return null;
}

/** Resolves handles to DIDs. A handle that does not resolve in time stays plain text. */
async function didsOf(pds: Pds, handles: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const handle of handles) {
    const did = await pds.look('com.atproto.identity.resolveHandle', { handle }, RESOLVE_MS).then(
      (response) => (response.status === 200 ? textAt(response.tryJson(), 'did') : ''),
      (error: unknown) => {
        if (error instanceof NetworkError && error.reason === 'timeout') return '';
        throw error;
      },
    );
    if (did.startsWith('did:')) found[handle] = did;
  }
  return found;
}

/** Freezes the key and content of the record, or keeps the frozen ones. This makes a second send safe. */
async function freeze(work: Work, progress: Progress): Promise<StepResult> {
  const { session, post } = work;
  const now = session.now();
  const { blob } = progress;
  const again = progress.frozen !== null && progress.frozen.commitNumber !== post.sendKey;
  if (!blob || now - blob.at > (again ? DOUBTED_BLOB_LIFE_MS : BLOB_LIFE_MS)) return uploadAgain(work, progress);
  await session.spend('writes');
  await session.spend('writes-daily');
  const kept = progress.frozen && now - progress.frozen.at < KEY_LIFE_MS ? progress.frozen : null;
  const frozen: Frozen = {
    rkey: kept?.rkey ?? newRecordKey(now),
    record: postRecord(work, { blob: blob.ref, mentions: progress.mentions, createdAt: kept?.at ?? now }),
    at: kept?.at ?? now,
    commitNumber: post.sendKey,
    server: session.service,
    rev: kept?.rev ?? (await revision(work)),
  };
  return readyToCommit(toCheckpoint({ ...progress, frozen }), 'The record is written under a key of our own.');
}

/**
 * Uploads again because the blob may be gone. The video service may keep returning a blob that the account's server has
 * deleted. From the second time on, the video is uploaded to the server directly if it fits.
 */
function uploadAgain({ session, media }: Work, progress: Progress): StepResult {
  const fits = media.container === 'mp4' && media.bytes <= blobLimit(session.extra);
  const by = progress.losses > 0 && fits ? 'server' : progress.by;
  const next: Progress = { ...progress, phase: 'upload', by, blob: null, losses: progress.losses + 1 };
  return proceed(toCheckpoint(next), 'The upload is old; the video is sent again.');
}

/** Returns the repository's revision, which can later prove that nothing was written since; "" if unavailable. */
async function revision({ session }: Work): Promise<string> {
  const response = await pdsOf(session).look('com.atproto.sync.getLatestCommit', { did: session.remoteId });
  return response.status === 200 ? textAt(response.tryJson(), 'rev') : '';
}
