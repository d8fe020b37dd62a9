/** Resumable uploads (tus 1.0): they continue after a lost connection or a restart of the service. */
import { isPassing, ReelayApiError } from './errors.ts';
import type { Video } from './multipart.ts';
import { pauseByTimer } from './pause.ts';
import { createPieceSizes } from './piece-sizes.ts';
import { createRetries, type Retry } from './retry.ts';
import { type BodyOf, bodiless, jsonOf, type Pause, streamOf, type Transport } from './transport.ts';
import { createPieceSource, type PieceSource } from './upload-source.ts';

export interface SendOptions {
  /** The id of an earlier upload of the same video, to resume it. */
  id?: string;
  /** Called with the id before the first byte is sent. */
  onBegun?: (id: string) => void;
  /**
   * Called with the number of bytes sent. It may decrease after a failed attempt. A blob is reported piece by piece.
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
   * Sends a video in pieces, which pass proxies that limit bodies. Resumes after a lost connection, two minutes of unavailability or a rate limit.
   * A stream that cannot start at an offset is then read again from the beginning.
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
  /** Requires a session. The video of a finished upload that no post has used, in pieces. */
  video(id: string): Promise<ReadableStream<Uint8Array>>;
  /** Requires a session. Orders a small version of an uploaded video for browsers, unless it exists. Repeat it until it is `stored`. */
  orderPreview(id: string): Promise<Preview>;
  /** Requires a session. The preview of an upload, in pieces. */
  preview(id: string): Promise<ReadableStream<Uint8Array>>;
}

/** State of a preview. `progress`: from 0 to 1. */
export type Preview = BodyOf<'orderUploadPreview'>['data'];

/** Maximum delay that a response may ask for, in ms: a whole window of the rate limit. */
const MAX_PAUSE_MS = 60_000;
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
      await bodiless(transport, { method: 'DELETE', path: pathOf(id), headers: PROTOCOL });
    },
    video: (id) => streamOf(transport, { method: 'GET', path: dashboardPathOf(id, 'video') }),
    async orderPreview(id) {
      const path = dashboardPathOf(id, 'preview');
      return (await jsonOf<BodyOf<'orderUploadPreview'>>(transport, { method: 'POST', path })).data;
    },
    preview: (id) => streamOf(transport, { method: 'GET', path: dashboardPathOf(id, 'preview') }),
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
  const source = createPieceSource(video);
  const pieces = createPieceSizes();
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
        pieces.restart();
        while (sent < total) {
          const began = now();
          const piece = { id, offset: sent, total, size: pieces.next(total - sent) };
          sent = await sendFrom(transport, source, piece, options);
          pieces.took(now() - began);
          onProgress?.({ sent, total });
        }
        await source.close();
        return id;
      } catch (error) {
        await source.close();
        if (!pieces.failed(error)) await retries.after(error);
      }
  } catch (error) {
    if (signal?.aborted && !options.keep && id !== null) await forget(transport, id);
    throw error;
  }
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
  const response = await bodiless(transport, {
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
  const response = await bodiless(transport, call).catch((error: unknown) => {
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
  source: PieceSource,
  { id, offset, total, size }: { id: string; offset: number; total: number; size: number },
  { signal, onProgress }: SendOptions,
): Promise<number> {
  const body = await source.piece(offset, size, (sent) => onProgress?.({ sent, total }));
  const length: Record<string, string> = body instanceof Blob ? {} : { 'content-length': String(size) };
  const headers = { ...PROTOCOL, 'content-type': 'application/offset+octet-stream', ...length };
  const call = { method: 'PATCH', path: pathOf(id), body, signal } as const;
  const response = await bodiless(transport, {
    ...call,
    headers: { ...headers, 'upload-offset': String(offset) },
  }).catch((error) => {
    throw source.failure()?.error ?? error;
  });
  const now = readOffset(response);
  if (now <= offset) throw strange(response);
  return now;
}

/** Whether to retry resuming the upload. */
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
  const message = `The response (${status}) does not come from Reelay. Is the address right?`;
  return new ReelayApiError(message, { status, code: 'not_reelay' });
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

const dashboardPathOf = (id: string, what: string) => `/dashboard/uploads/${encodeURIComponent(id)}/${what}`;

function pathOf(id: string): string {
  return `${PLACE}/${encodeURIComponent(id)}`;
}
