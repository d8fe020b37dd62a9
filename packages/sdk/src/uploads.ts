/** Resumable uploads (tus 1.0): they continue after a lost connection or a restart of the service. */
import { isPassing, ReelayApiError } from './errors.ts';
import type { Video, VideoStream } from './multipart.ts';
import { pauseByTimer } from './pause.ts';
import { createRetries, type Retry } from './retry.ts';
import type { Pause, Transport } from './transport.ts';

export interface SendOptions {
  /** The id of an earlier upload of the same video, to resume it. */
  id?: string;
  /** Called with the id before the first byte is sent. */
  onBegun?: (id: string) => void;
  /**
   * Called with the number of bytes sent. It may decrease after a failed attempt. A blob is reported chunk by chunk.
   */
  onProgress?: (progress: { sent: number; total: number }) => void;
  /** Called after a failed attempt, before the retry. */
  onRetry?: (retry: Retry) => void;
  /** Aborts the upload and deletes it on the server. */
  signal?: AbortSignal;
  /** Keeps an aborted upload on the server, to resume it by `id` later. */
  keep?: boolean;
}

export interface Uploads {
  /**
   * Sends a video. Resumes after a lost connection, two minutes of unavailability or a rate limit. A stream that cannot
   * start at an offset is read again from the beginning.
   * @returns the id, to be used as `uploadId` of a post within 24 hours
   * @throws ReelayApiError
   */
  send(video: Video, options?: SendOptions): Promise<string>;
  /**
   * Returns the number of bytes that the server has stored.
   * @throws ReelayApiError `unknown_upload`, `upload_used`
   */
  offset(id: string): Promise<number>;
  remove(id: string): Promise<void>;
}

/** Maximum delay that a response may ask for, in ms: a whole window of the rate limit. */
const MAX_PAUSE_MS = 60_000;
/**
 * Chunk sizes for blobs, in bytes. Browsers cannot send streams, so each chunk is a request. Chunks grow while they are
 * fast, so that progress is reported about once a second.
 */
const MIN_PIECE = 1024 * 1024;
const MAX_PIECE = 32 * 1024 * 1024;
/** A chunk that takes less, in ms, is followed by a larger one; one that takes four times as long, by a smaller one. */
const FAST_MS = 700;
const PLACE = '/uploads';
const PROTOCOL = { 'tus-resumable': '1.0.0' };

/** @param now a clock in ms that never goes back */
export function createUploads(
  transport: Transport,
  pause: Pause = pauseByTimer,
  now: () => number = () => performance.now(),
): Uploads {
  return {
    send: (video, options = {}) => send({ transport, pause, now }, video, options),
    offset: (id) => offsetOf(transport, id),
    async remove(id) {
      await transport({ method: 'DELETE', path: pathOf(id), headers: PROTOCOL });
    },
  };
}

interface Deps {
  transport: Transport;
  pause: Pause;
  now: () => number;
}

async function send({ transport, pause, now }: Deps, video: Video, options: SendOptions): Promise<string> {
  const { signal, onProgress } = options;
  const total = video instanceof Blob ? video.size : video.length;
  let id = options.id ?? null;
  const retries = createRetries(pause, { mayPass, maxDelayMs: MAX_PAUSE_MS, atOnce: true }, options);
  let furthest = -1;
  try {
    for (;;)
      try {
        id ??= await begin(transport, video, total, options);
        let sent = await offsetOf(transport, id, signal);
        // Progress resets the retry counter.
        if (sent > furthest) retries.reset();
        furthest = Math.max(furthest, sent);
        onProgress?.({ sent, total });
        let piece = MIN_PIECE;
        while (sent < total) {
          const began = now();
          sent = await sendFrom(transport, video, { id, offset: sent, total, piece }, options);
          piece = nextPiece(piece, now() - began);
          onProgress?.({ sent, total });
        }
        return id;
      } catch (error) {
        await retries.after(error);
      }
  } catch (error) {
    if (signal?.aborted && !options.keep && id !== null) await forget(transport, id);
    throw error;
  }
}

function nextPiece(piece: number, tookMs: number): number {
  if (tookMs < FAST_MS) return Math.min(MAX_PIECE, piece * 2);
  return tookMs > 4 * FAST_MS ? Math.max(MIN_PIECE, piece / 2) : piece;
}

/** Deletes an aborted upload, so that it does not count against the user's limit. Waits at most 2 s. */
async function forget(transport: Transport, id: string): Promise<void> {
  const call = { method: 'DELETE', path: pathOf(id), headers: PROTOCOL, signal: AbortSignal.timeout(2_000) } as const;
  await transport(call).catch(() => {});
}

async function begin(
  transport: Transport,
  video: Video,
  total: number,
  { signal, onBegun }: SendOptions,
): Promise<string> {
  const name = 'name' in video ? video.name : undefined;
  const metadata: Record<string, string> = name ? { 'upload-metadata': `filename ${base64(name)}` } : {};
  const response = await transport({
    method: 'POST',
    path: PLACE,
    headers: { ...PROTOCOL, 'upload-length': String(total), ...metadata },
    signal,
  });
  const id = response.headers.get('location')?.split('/').at(-1);
  if (!id) throw strange(response);
  onBegun?.(id);
  return id;
}

async function offsetOf(transport: Transport, id: string, signal?: AbortSignal): Promise<number> {
  const call = { method: 'HEAD', path: pathOf(id), headers: PROTOCOL, signal } as const;
  const response = await transport(call).catch((error: unknown) => {
    // An error response to HEAD has no body with a code.
    const code = error instanceof ReelayApiError ? REFUSED_HEAD[error.status] : undefined;
    if (!code || !(error instanceof ReelayApiError)) throw error;
    const { status, retryAfter, requestId } = error;
    throw new ReelayApiError(code[1], { status, code: code[0], retryAfter, requestId, cause: error });
  });
  return readOffset(response);
}

const REFUSED_HEAD: Record<number, readonly [code: string, message: string]> = {
  401: ['unauthorized', 'Invalid or missing API key.'],
  404: ['unknown_upload', 'Upload not found.'],
  410: ['upload_used', 'The upload is already used by a post.'],
  423: ['upload_locked', 'Another request is writing to this upload.'],
  429: ['rate_limited', 'Too many requests.'],
};

/** @returns the offset of the upload afterwards */
async function sendFrom(
  transport: Transport,
  video: Video,
  { id, offset, total, piece }: { id: string; offset: number; total: number; piece: number },
  { signal, onProgress }: SendOptions,
): Promise<number> {
  let broken: { error: unknown } | null = null;
  const body =
    video instanceof Blob
      ? video.slice(offset, offset + piece)
      : await restOf(video, offset, {
          onSent: (sent) => onProgress?.({ sent, total }),
          onBroken: (error) => {
            broken = { error };
          },
        });
  const length: Record<string, string> = body instanceof Blob ? {} : { 'content-length': String(total - offset) };
  const headers = { ...PROTOCOL, 'content-type': 'application/offset+octet-stream', ...length };
  const call = { method: 'PATCH', path: pathOf(id), body, signal } as const;
  const response = await transport({ ...call, headers: { ...headers, 'upload-offset': String(offset) } }).catch(
    (error) => {
      throw broken ? broken.error : error;
    },
  );
  const now = readOffset(response);
  if (now <= offset) throw strange(response);
  return now;
}

/** Streams the video from an offset. Errors unless it has exactly the announced length. */
async function restOf(
  { length, stream, streamFrom }: VideoStream,
  offset: number,
  { onSent, onBroken }: { onSent: (sent: number) => void; onBroken: (error: unknown) => void },
): Promise<ReadableStream<Uint8Array>> {
  const source = streamFrom ? await streamFrom(offset) : await stream();
  if (source.locked) throw new TypeError('The stream of the video can be read only once.');
  let toSkip = streamFrom ? 0 : offset;
  let sent = offset;
  const reader = source.getReader();
  const fail = (error: unknown) => {
    onBroken(error);
    return error;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read().catch((error: unknown) => {
            throw fail(error);
          });
          if (done && sent < length)
            throw fail(new Error(`The video ended after ${sent} of the ${length} bytes that were announced.`));
          if (done) return controller.close();
          const piece = value.subarray(Math.min(toSkip, value.length));
          toSkip -= value.length - piece.length;
          if (piece.length === 0) continue;
          sent += piece.length;
          if (sent > length) throw fail(new Error(`The video is longer than the ${length} bytes that were announced.`));
          controller.enqueue(piece);
          return onSent(sent);
        }
      },
      cancel: (reason) => reader.cancel(reason).catch(() => {}),
    },
    { highWaterMark: 0 },
  );
}

/** Whether resuming the upload is worth a retry. */
function mayPass(error: unknown): error is ReelayApiError {
  const passing = ['rate_limited', 'upload_locked', 'wrong_offset'];
  return isPassing(error) || (error instanceof ReelayApiError && passing.includes(error.code));
}

function readOffset(response: Response): number {
  const value = response.headers.get('upload-offset') ?? '';
  if (!/^\d+$/.test(value)) throw strange(response);
  return Number(value);
}

function strange({ status }: Response): ReelayApiError {
  const message = `The answer (${status}) does not come from Reelay. Is the address right?`;
  return new ReelayApiError(message, { status, code: 'not_reelay' });
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function pathOf(id: string): string {
  return `${PLACE}/${encodeURIComponent(id)}`;
}
