/**
 * The upload host: receives the rest of a file from an offset. Bytes that arrived before a broken connection are kept,
 * so an upload can resume.
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { ok, uploadError, wholeNumber } from '../../graph/responses.ts';
import { Refused } from '../../refused.ts';
import { totalBytes } from '../../store/chunks.ts';
import { update } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import { callerOf } from './caller.ts';
import { switchesOf, type Video } from './records.ts';

/** Received bytes are stored in pieces of this size. */
const PIECE_BYTES = 1024 * 1024;

const failed = (message: string) => uploadError('ProcessingFailedError', message);
const UNAUTHORIZED = 'User not authorized to perform this request';

export async function receiveVideo(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const video = await options.store.get<Video>('video', request.params.id ?? '');
  if (!video || !(await mayUpload(options, request, video))) return uploadError('NotAuthorizedError', UNAUTHORIZED);
  if (video.finishedAt === null && options.now() - video.createdAt >= DAY) return failed('The session has expired.');
  const offset = wholeNumber(request.headers.offset);
  const size = wholeNumber(request.headers.file_size);
  if (offset === null || size === null || size === 0) return failed('The headers offset and file_size are missing.');
  if (video.size !== null && video.size !== size) return failed('file_size differs from the one before.');
  if (offset !== totalBytes(video.parts)) return wrongOffset(video);
  if (video.uploadedAt !== null) return ok({ success: true });
  const length = wholeNumber(request.headers['content-length']);
  await update<Video>(options.store, ['video', video.id], { size });
  const after = await storePieces(options, request.body, video.id, offset, size);
  if (!after) return wrongOffset(video);
  const received = totalBytes(after.parts);
  if (received < size || length !== size - offset)
    return uploadError('PartialRequestError', 'Partial request (did not match length of file)');
  return ok({ success: true });
}

/** Requires an `OAuth` header with the token of the video's Page. */
async function mayUpload(options: SimulatorOptions, request: SimulatorRequest, video: Video): Promise<boolean> {
  if (!/^OAuth \S+$/.test(request.headers.authorization ?? '')) return false;
  try {
    const { record } = await callerOf(options, request, new Map());
    return record.pageId === video.pageId;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** Returns null if another request stored these bytes first. */
async function storePieces(
  options: SimulatorOptions,
  body: Readable,
  id: string,
  from: number,
  size: number,
): Promise<Video | null> {
  const { processingMs } = await switchesOf(options);
  let after: Video | undefined;
  let at = from;
  for await (const piece of piecesOf(body)) {
    if (at + piece.length > size) break;
    const blob = `${id}-${at}-${randomBytes(6).toString('hex')}`;
    const { bytes } = await options.blobs.put(blob, Readable.from([piece], { objectMode: false }));
    const start = at;
    after = await options.store.change<Video>('video', id, (current) => {
      if (!current || totalBytes(current.parts) !== start) return undefined;
      const uploadedAt = start + bytes === size ? options.now() : null;
      const parts = [...current.parts, { blob, bytes }];
      return { ...current, parts, uploadedAt, processingMs: current.processingMs || (processingMs ?? 0) };
    });
    if (!after?.parts.some((part) => part.blob === blob)) {
      await options.blobs.remove(blob);
      return null;
    }
    at += bytes;
  }
  return after ?? (await options.store.get<Video>('video', id)) ?? null;
}

/** Splits the body into pieces. If the connection breaks, the bytes received so far are the last piece. */
async function* piecesOf(body: Readable): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      waiting.push(chunk);
      length += chunk.length;
      if (length < PIECE_BYTES) continue;
      yield Buffer.concat(waiting);
      [waiting, length] = [[], 0];
    }
  } catch {
    // The connection is closed, so no response can be sent.
  }
  if (length > 0) yield Buffer.concat(waiting);
}

function wrongOffset(video: Video): SimulatorResponse {
  return uploadError('OffsetInvalidError', `The offset must be ${totalBytes(video.parts)}.`);
}
