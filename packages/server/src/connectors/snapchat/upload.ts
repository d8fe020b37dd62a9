/**
 * Media upload: the checkpoint, the encryption of the file in parts, and the requests. All steps are safe to repeat.
 */
import { createCipheriv, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { MessageParam } from '../../messages/message.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Media, StepResult, Work } from '../contract.ts';
import { defineCheckpoint, emptyOf, textsOrNull } from '../kit/checkpoint.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { type MultipartPart, multipartBody } from '../kit/multipart.ts';
import { transferMs } from '../kit/requests.ts';
import { proceed } from '../kit/results.ts';
import { call, ownPath } from './api.ts';
import { say } from './messages.ts';

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

/**
 * Part size in bytes, a multiple of the block size. Snapchat rejects 32 MiB because the form adds overhead (public
 * clients).
 */
export const PART_BYTES = 31 * 1024 * 1024;
const BLOCK = 16;

interface Part {
  /** Starts at 1. */
  number: number;
  /** Offset in the file, and number of file bytes in the part; the last part may have none. */
  first: number;
  plain: number;
  /** Length of the encrypted part in bytes. */
  length: number;
  isLast: boolean;
}

/** Returns the length of the encrypted file in bytes. There is always padding. */
export function encipheredLength(bytes: number): number {
  return (Math.floor(bytes / BLOCK) + 1) * BLOCK;
}

export function partCount(bytes: number, partBytes = PART_BYTES): number {
  return Math.ceil(encipheredLength(bytes) / partBytes);
}

/** @param number starts at 1 @param partBytes a multiple of 16 */
export function partOf(bytes: number, number: number, partBytes = PART_BYTES): Part {
  const first = (number - 1) * partBytes;
  const isLast = number === partCount(bytes, partBytes);
  return {
    number,
    first,
    plain: isLast ? bytes - first : partBytes,
    length: isLast ? encipheredLength(bytes) - first : partBytes,
    isLast,
  };
}

/** Result of encrypting a part, available once it was read. */
interface Sealed {
  bytes: number;
  /** Last encrypted block, base64; the chaining value for the next part. */
  tail: string;
}

/**
 * Encrypts a part with AES-256-CBC and returns it as a stream. In CBC a block depends only on the previous one, so each
 * part is encrypted separately, starting from the last block of the previous part. The last part has PKCS #7 padding.
 * Nothing is read twice or buffered, and a repeated part has the same bytes.
 * @param key base64, 32 bytes
 * @param chain base64, 16 bytes: the IV for the first part, else the last block of the previous part
 * @param sealed filled while the stream is read
 */
export async function encipher(
  media: Pick<Media, 'stream'>,
  part: Part,
  key: string,
  chain: string,
  sealed: Sealed,
): Promise<Readable> {
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(chain, 'base64'));
  cipher.setAutoPadding(part.isLast);
  const { first, plain } = part;
  const source = plain > 0 ? await media.stream({ first, last: first + plain - 1 }) : Readable.from([]);
  let tail = Buffer.alloc(0);
  const sealing = (bytes: Buffer) => {
    sealed.bytes += bytes.length;
    tail = Buffer.concat([tail, bytes.subarray(-BLOCK)]).subarray(-BLOCK);
    sealed.tail = tail.toString('base64');
    return bytes;
  };
  async function* read(): AsyncGenerator<Buffer> {
    for await (const bytes of source as AsyncIterable<Buffer>) yield sealing(cipher.update(bytes));
    yield sealing(cipher.final());
  }
  return Readable.from(read(), { objectMode: false });
}

/** Delay in ms before the first send, because transcoding takes a while. */
const FIRST_TRY_AFTER_MS = 5 * SECOND;
const RESTART_MS: Delays = [0, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];

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
  if (!mediaId || !addPath || !finalizePath) throw new PlatformError(transient(say('upload_without_url')));
  const created = { sha256: media.sha256, key, chain: iv, mediaId, addPath, finalizePath, createdAt: session.now() };
  return proceed({ ...progress, ...UNMADE, ...created }, say('upload_opened'));
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
  const deadlineMs = transferMs(part.length, { responseMs: MINUTE, bytesPerMs: 50 });
  const body = multipartBody([...fields, file]);
  return orRestart(progress, async () => {
    await call(session, 'POST', progress.addPath, { body, deadlineMs });
    // A response before the last byte does not acknowledge the part.
    if (sealed.bytes !== part.length) throw new PlatformError(transient(say('part_response_early')));
    const sent = { ...progress, parts: part.number, chain: sealed.tail };
    return proceed(sent, say('part_sent', { part: part.number, parts: partCount(media.bytes) }));
  });
}

/** Finalizes the upload. @throws PlatformError */
export function finalize({ session }: Work, progress: Progress): Promise<StepResult> {
  const body = multipartBody([{ name: 'action', value: 'FINALIZE' }]);
  return orRestart(progress, async () => {
    await call(session, 'POST', progress.finalizePath, { body });
    const finalized = { ...progress, finalizedAt: session.now() };
    return proceed(finalized, say('upload_processing'), session.sandbox ? 0 : FIRST_TRY_AFTER_MS);
  });
}

/**
 * Restarts the upload if the media is gone. A rejection also restarts once: it may result from repeating a request whose
 * response was lost, which Snapchat does not document. @throws PlatformError
 */
async function orRestart(progress: Progress, step: () => Promise<StepResult>): Promise<StepResult> {
  try {
    return await step();
  } catch (error) {
    const failure = error instanceof PlatformError ? error.failure : null;
    if (failure?.platformCode === 'MEDIA_EXPIRED' || (failure?.status === 404 && failure.platformCode !== undefined))
      return restart(progress, say('upload_unknown'));
    if (failure?.kind === 'rejected' && progress.restarts === 0) return restart(progress, failure.detail);
    throw error;
  }
}

/** Starts again with a new key, with growing delays. The snapshot of the list from before the first send is kept. */
export function restart(progress: Progress, reason: MessageParam): StepResult {
  const { restarts } = progress;
  const again = { ...progress, ...UNMADE, restarts: restarts + 1 };
  return proceed(again, say('upload_restarted', { reason }), delayAfter(RESTART_MS, restarts));
}
