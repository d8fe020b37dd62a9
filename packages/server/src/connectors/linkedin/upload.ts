/** Media upload: the checkpoint, opening an upload, and sending the cover and the parts that LinkedIn asks for. */
import { z } from 'zod';
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import type { HttpRequest } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { Media, StepResult, Work } from '../contract.ts';
import { defineCheckpoint, emptyOf, texts } from '../kit/checkpoint.ts';
import { tryCover } from '../kit/cover.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { transferMs } from '../kit/requests.ts';
import { failed, proceed } from '../kit/results.ts';
import { call, isWebAddress } from './api.ts';
import { failureOf, ROLE_MISSING } from './classify.ts';
import { say } from './messages.ts';

/** A part that is still to be sent. Its URL grants access without a token, so checkpoints are stored encrypted. */
export type Part = {
  url: string;
  /** Offset of its first byte; `last` is inclusive too. */
  first: number;
  last: number;
};

/** State of a publish. */
export const { empty: NEW, parse: uploadOf } = defineCheckpoint({
  /** Hash of the file being uploaded. A different hash starts a new upload. */
  sha256: '',
  /** URN; "" while no upload is open. */
  video: '',
  /** Usually "", but LinkedIn requires it to be sent back. */
  uploadToken: '',
  /** ms since the epoch, from LinkedIn; 0 if it gave none. */
  expiresAt: 0,
  /** Parts left to send, in order. */
  parts: z.array(z.unknown().transform(partOf)).catch(() => []),
  /** ETags of the uploaded parts in order, including their quotes. */
  etags: texts,
  /** Upload URL of the cover; "" once sent or if there is no cover. */
  coverUrl: '',
  /** LinkedIn rejected the cover that this upload announced. */
  coverMissing: false,
  /** A cover was rejected; later uploads announce none. */
  coverless: false,
  /** When the first upload of this post was opened, in ms since the epoch. */
  openedAt: 0,
  /** Number of uploads opened. */
  uploads: 0,
  /** Number of failed finalize calls. */
  stumbles: 0,
  /** When LinkedIn finalized the upload, in ms since the epoch; 0 if it has not. */
  finalizedAt: 0,
  /** Number of polls for the video's status. */
  polls: 0,
  /** Number of responses that denied access to the video. */
  closed: 0,
  /** Number of commits to send the post. */
  offers: 0,
  /** Number of sends of unknown outcome that were verified to have created no post. */
  voids: 0,
  /** Value of `voids` at the last pause. */
  rested: 0,
});
export type Upload = typeof NEW;

/** State of an upload that has not been opened. */
export const UNOPENED = emptyOf(
  NEW,
  'video',
  'uploadToken',
  'expiresAt',
  'parts',
  'etags',
  'coverUrl',
  'coverMissing',
  'stumbles',
  'finalizedAt',
  'polls',
  'closed',
);

function partOf(part: unknown): Part {
  return { url: textAt(part, 'url'), first: numberAt(part, 'first') ?? 0, last: numberAt(part, 'last') ?? -1 };
}

/** Parses the parts in order. Returns null unless they cover every byte of the file exactly once. Pure. */
export function partsFrom(instructions: unknown, bytes: number): Part[] | null {
  if (!Array.isArray(instructions)) return null;
  const parts = instructions.map(
    (each): Part => ({
      url: textAt(each, 'uploadUrl'),
      first: numberAt(each, 'firstByte') ?? -1,
      last: numberAt(each, 'lastByte') ?? -1,
    }),
  );
  parts.sort((one, other) => one.first - other.first);
  let next = 0;
  for (const { url, first, last } of parts) {
    if (!isWebAddress(url) || first !== next || last < first) return null;
    next = last + 1;
  }
  return next === bytes ? parts : null;
}

/** Opens an upload. Only the first one of a post counts toward the budgets. @throws PlatformError */
export async function open({ session, media }: Work, previous: Upload): Promise<StepResult> {
  if (previous.uploads === 0) {
    await session.spend('posts of the application');
    await session.spend('posts');
  }
  const initializeUploadRequest = {
    owner: session.remoteId,
    fileSizeBytes: media.bytes,
    uploadCaptions: false,
    uploadThumbnail: !previous.coverless,
  };
  const path = '/rest/videos?action=initializeUpload';
  const response = await call(session, 'POST', path, { json: { initializeUploadRequest } }).catch(notPermitted);
  const value = at(response.json(), 'value');
  const video = textAt(value, 'video');
  const parts = partsFrom(at(value, 'uploadInstructions'), media.bytes);
  if (!video || !parts) throw new PlatformError(transient(say('parts_mismatch')));
  const coverUrl = previous.coverless ? '' : textAt(value, 'thumbnailUploadUrl');
  const upload: Upload = {
    ...previous,
    ...UNOPENED,
    sha256: media.sha256,
    video,
    uploadToken: textAt(value, 'uploadToken'),
    expiresAt: numberAt(value, 'uploadUrlsExpireAt') ?? 0,
    parts,
    coverUrl: isWebAddress(coverUrl) ? coverUrl : '',
    openedAt: previous.openedAt || session.now(),
    uploads: previous.uploads + 1,
  };
  return proceed(upload, say('upload_opened_in_parts', { parts: parts.length }));
}

/**
 * Maps a `FORBIDDEN_RESOURCE` before the video exists to a missing permission: the video cannot be too new, so the
 * member may not post as this owner.
 */
function notPermitted(error: unknown): never {
  if (!(error instanceof PlatformError) || error.failure.platformCode !== 'FORBIDDEN_RESOURCE') throw error;
  throw new PlatformError({ ...error.failure, ...ROLE_MISSING });
}

/**
 * Uploads the cover before the parts, so that it is present when the upload is finalized. One attempt; a failure does
 * not fail the post.
 */
export async function sendCover({ session, media }: Work, upload: Upload): Promise<StepResult> {
  const reason = await tryCover(media, async ({ bytes, mime: type }) => {
    const { status } = await session.http({
      method: 'PUT',
      url: upload.coverUrl,
      body: { kind: 'bytes', type, bytes },
    });
    if (status < 200 || status > 299) throw new PlatformError(transient(say('status_unexpected', { status })));
  });
  const sent = { ...upload, coverUrl: '', coverMissing: reason !== null, coverless: reason !== null };
  return proceed(sent, reason ? say('cover_rejected', { reason }) : say('cover_set'));
}

/** Sends one part. Sending a part again is safe: the last ETag counts. @throws PlatformError */
export async function sendPart(work: Work, upload: Upload, [part, ...parts]: [Part, ...Part[]]): Promise<StepResult> {
  const { session, media } = work;
  if (upload.expiresAt > 0 && session.now() >= upload.expiresAt) return restart(work, upload, say('upload_expired'));
  const response = await session.http(partRequest(media, part));
  const { status } = response;
  const etag = textAt(response.headers, 'etag');
  if ((status === 200 || status === 201) && etag) {
    const sent = { ...upload, parts, etags: [...upload.etags, etag] };
    return proceed(sent, say('bytes_sent', { sentBytes: part.last + 1, totalBytes: media.bytes }));
  }
  const failure = failureOf(response, session.now());
  const { platformCode } = failure;
  if (platformCode === 'EXPIRED_UPLOAD_URL' || [403, 404, 410].includes(status))
    return restart(work, upload, say('upload_rejected', { code: platformCode ?? status }));
  // The upload URL carries its own permission, so a rejection says nothing about the account or the post.
  if (failure.kind === 'rateLimited') throw new PlatformError(failure);
  const problem = transient(say('status_unexpected', { status }));
  throw new PlatformError({ ...problem, status, ...(platformCode ? { platformCode } : {}) });
}

/** Builds the request that sends a part. It carries no token, because the URL grants access. */
function partRequest(media: Media, { url, first, last }: Part): HttpRequest {
  const length = last - first + 1;
  const open = () => media.stream({ first, last });
  return {
    method: 'PUT',
    url,
    body: { kind: 'stream', type: 'application/octet-stream', length, open },
    deadlineMs: transferMs(length, { responseMs: 30 * SECOND, bytesPerMs: 125 }),
  };
}

const RESTART_MS: Delays = [0, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];
/** The post fails after this many rejected uploads. */
const MAX_REJECTED_UPLOADS = 3;

/** Starts a new upload; the previous one stays invisible. @param cause LinkedIn's failure, if it rejected the upload */
export function restart({ media }: Work, upload: Upload, reason: Message, cause?: Failure): StepResult {
  if (cause?.kind === 'rejected' && upload.uploads >= MAX_REJECTED_UPLOADS)
    return failed({ ...cause, detail: say('restarts_exhausted', { reason: cause.detail }) });
  const checkpoint = { ...upload, ...UNOPENED, sha256: media.sha256 };
  return proceed(checkpoint, say('upload_restarted', { reason }), delayAfter(RESTART_MS, upload.uploads - 1));
}
