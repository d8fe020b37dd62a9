/**
 * The steps (upload the video, wait for the video service, freeze the record), and the request that writes the record.
 * `swapRecord: null` requires that the key is unused. Writing the same record again changes nothing; a different one is
 * rejected (tested with PDS 0.5.35).
 */
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import { type HttpResponse, NetworkError } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, ConfirmResult, JsonObject, Published, StepResult, Work } from '../contract.ts';
import { rejected, setup, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { failed, proceed, readyToCommit } from '../kit/results.ts';
import { type Frozen, freshProgress, frozenOf, type Progress, progressOf } from './checkpoint.ts';
import { codeOf, failureOf } from './classify.ts';
import { MAX_GRAPHEMES, MAX_TEXT_BYTES, MAX_VIDEO_BYTES } from './limits.ts';
import { say } from './messages.ts';
import { type Pds, pdsOf, xrpcUrl } from './pds.ts';
import { graphemes, handlesIn, newRecordKey, POST, postRecord, postUrl, timeOfTid } from './record.ts';
import { abort, blobLimit, pollJob, sendPart, sendWhole, startVideo, uploadBlob } from './upload.ts';

/**
 * Maximum age of a frozen record in ms. An older one is not sent, because it could recreate a post that its owner
 * deleted.
 */
export const KEY_LIFE_MS = HOUR;
/** Maximum age of a blob in ms. Servers delete unreferenced blobs after an undocumented time. */
const BLOB_LIFE_MS = HOUR;
/** Maximum age of a blob in ms after a send without effect, because the blob may be gone. */
const DOUBTED_BLOB_LIFE_MS = 2 * MINUTE;
const MAX_MENTIONS = 20;
/** Deadline for resolving a handle in ms; the handle's own server may be slow. */
const RESOLVE_MS = 10 * SECOND;

export async function begin(work: Work): Promise<StepResult> {
  const { session, post, media } = work;
  const rejection = foreseeRejection(work);
  if (rejection) return failed(rejection);
  const mentions = await didsOf(pdsOf(session), handlesIn(post.text).slice(0, MAX_MENTIONS));
  const by = session.extra.videoService === true && session.endpoints.video ? 'service-parts' : 'server';
  const note = say(by === 'server' ? 'uploading_to_server' : 'uploading_to_service');
  return proceed(freshProgress(media.sha256, mentions, by), note);
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const progress = progressOf(checkpoint);
  if (!progress) return begin(work);
  if (progress.sha256 !== work.media.sha256) {
    await abort(work, progress);
    return begin(work);
  }
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
function foreseeRejection({ session, post, media }: Work): Failure | null {
  if (graphemes(post.text) > MAX_GRAPHEMES || Buffer.byteLength(post.text) > MAX_TEXT_BYTES)
    return rejected('caption', say('text_too_long', { limit: MAX_GRAPHEMES }));
  const limit = session.extra.videoService === true ? MAX_VIDEO_BYTES : blobLimit(session.extra);
  if (media.bytes > limit)
    return rejected('video', say('video_too_large', { sizeBytes: media.bytes, limitBytes: limit }));
  if (session.extra.emailConfirmed === false && /\.bsky\.network$|\/\/bsky\.social$/.test(session.service))
    return setup(say('email_unconfirmed'));
  return null;
}

/** Resolves handles to DIDs. A handle that does not resolve in time stays plain text. */
async function didsOf(pds: Pds, handles: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const handle of handles) {
    const did = await pds.read('com.atproto.identity.resolveHandle', { handle }, RESOLVE_MS).then(
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
  const previous = progress.frozen && now - progress.frozen.at < KEY_LIFE_MS ? progress.frozen : null;
  const frozen: Frozen = {
    rkey: previous?.rkey ?? newRecordKey(now),
    record: postRecord(work, { blob: blob.ref, mentions: progress.mentions, createdAt: previous?.at ?? now }),
    at: previous?.at ?? now,
    commitNumber: post.sendKey,
    server: session.service,
    rev: previous?.rev ?? (await revision(work)),
  };
  return readyToCommit({ ...progress, frozen }, say('publishing'));
}

/**
 * Uploads again because the blob may be gone. The video service may keep returning a blob that the account's server has
 * deleted. From the second time on, the video is uploaded to the server directly if it fits.
 */
function uploadAgain({ session, media }: Work, progress: Progress): StepResult {
  const fits = media.container === 'mp4' && media.bytes <= blobLimit(session.extra);
  const by = progress.losses > 0 && fits ? 'server' : progress.by;
  const next: Progress = { ...progress, phase: 'upload', by, blob: null, losses: progress.losses + 1 };
  return proceed(next, say('upload_restarted', { reason: say('upload_expired') }));
}

/** Returns the repository's revision, which can later prove that nothing was written since; "" if unavailable. */
async function revision({ session }: Work): Promise<string> {
  const response = await pdsOf(session).read('com.atproto.sync.getLatestCommit', { did: session.remoteId });
  return response.status === 200 ? textAt(response.tryJson(), 'rev') : '';
}

const PUT = 'com.atproto.repo.putRecord';

export const commit: CommitPlan = {
  async request({ session }, checkpoint) {
    const frozen = frozenOf(checkpoint);
    if (!frozen || session.now() - frozen.at >= KEY_LIFE_MS)
      throw new PlatformError(transient(say('record_expired'), 0));
    const body = {
      repo: session.remoteId,
      collection: POST,
      rkey: frozen.rkey,
      record: frozen.record,
      swapRecord: null,
    };
    return {
      method: 'POST',
      url: xrpcUrl(session.service, PUT),
      headers: await pdsOf(session).headersOnce(PUT),
      body: { kind: 'bytes', type: 'application/json', bytes: JSON.stringify(body) },
      deadlineMs: 30 * SECOND,
    };
  },
  // Errors raised before anything is written: token, limits, record format, missing blob. InvalidSwap means that we
  // already used the key. Like every unlisted response, it is verified.
  responses: [
    { status: 200, proves: 'done' },
    { status: 401, proves: 'retryable' },
    { status: 429, proves: 'retryable' },
    { status: 400, code: 'ExpiredToken', proves: 'retryable' },
    { status: 400, code: 'InvalidToken', proves: 'retryable' },
    { status: 400, code: 'use_dpop_nonce', proves: 'retryable' },
    { status: 400, code: 'BlobNotFound', proves: 'retryable' },
    { status: 400, code: 'InvalidMimeType', proves: 'retryable' },
    { status: 400, code: 'InvalidSize', proves: 'retryable' },
    { status: 400, code: 'InvalidRequest', proves: 'refused' },
    { status: 403, code: 'AccountNotFound', proves: 'retryable' },
    { status: 403, code: 'ScopeMissingError', proves: 'refused' },
  ],
  codeOf,
  failureOf,
  done,
};

/** @throws PlatformError if the response is not about our record */
function done({ session }: Work, checkpoint: JsonObject, response: HttpResponse): ConfirmResult {
  const frozen = frozenOf(checkpoint);
  const body = response.json();
  if (!frozen || textAt(body, 'uri') !== uriOf(session.remoteId, frozen.rkey) || !textAt(body, 'cid'))
    throw new PlatformError({ kind: 'unknownOutcome', detail: say('other_record') });
  const written = timeOfTid(textAt(body, 'commit', 'rev'));
  return { then: 'posted', published: publishedAs(session, frozen, written), note: say('posted') };
}

/** @param writtenAt ms since the epoch, from the server; null if absent */
export function publishedAs(
  session: Pick<Work['session'], 'remoteId' | 'endpoints'>,
  { rkey }: Pick<Frozen, 'rkey'>,
  writtenAt: number | null,
): Published {
  return {
    remoteId: uriOf(session.remoteId, rkey),
    url: postUrl(session.endpoints.web, session.remoteId, rkey),
    publishedAt: writtenAt,
  };
}

export function uriOf(did: string, rkey: string): string {
  return `at://${did}/${POST}/${rkey}`;
}
