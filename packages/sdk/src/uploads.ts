/** Uploads that go on where they stood when the line breaks or the service starts again (tus 1.0). */
import { isPassing, ReelayApiError } from './errors.ts';
import type { Video, VideoStream } from './multipart.ts';
import { pauseByTimer } from './pause.ts';
import { createRetries, type Retry } from './retry.ts';
import type { Pause, Transport } from './transport.ts';

export interface SendOptions {
  /** The id of an upload of the same video that was begun before, to go on with. */
  id?: string;
  /** Told the id before the first byte is sent. */
  onBegun?: (id: string) => void;
  /** Told of bytes of the video; after a broken attempt it may go back a little. A blob is told of piece by piece. */
  onProgress?: (progress: { sent: number; total: number }) => void;
  /** Told of a failed attempt before the next one. */
  onRetry?: (retry: Retry) => void;
  /** Ends it; what was begun is removed. */
  signal?: AbortSignal;
}

export interface Uploads {
  /**
   * Sends a video and goes on after what passes: a lost line, a service that is away for two minutes, a limit of requests.
   * A stream that cannot begin at a byte is read again from its beginning.
   * @returns the id, for `uploadId` of a post, within 24 hours @throws ReelayApiError
   */
  send(video: Video, options?: SendOptions): Promise<string>;
  /** Where an upload stands for certain. @throws ReelayApiError `unknown_upload` */
  offset(id: string): Promise<number>;
  remove(id: string): Promise<void>;
}

/** Longest wait that an answer may ask for: a whole window of the limit of requests. */
const LONGEST_PAUSE_MS = 60_000;
/** Blobs are sent in pieces of so many bytes: browsers send no streams, and each piece is a request. */
const PIECE = 32 * 1024 * 1024;
const PLACE = '/uploads';
const PROTOCOL = { 'tus-resumable': '1.0.0' };

export function createUploads(transport: Transport, pause: Pause = pauseByTimer): Uploads {
  return {
    send: (video, options = {}) => send(transport, pause, video, options),
    offset: (id) => offsetOf(transport, id),
    async remove(id) {
      await transport({ method: 'DELETE', path: pathOf(id), headers: PROTOCOL });
    },
  };
}

async function send(transport: Transport, pause: Pause, video: Video, options: SendOptions): Promise<string> {
  const { signal, onProgress } = options;
  const total = video instanceof Blob ? video.size : video.length;
  let id = options.id ?? null;
  const retries = createRetries(pause, { mayPass, maxDelayMs: LONGEST_PAUSE_MS, atOnce: true }, options);
  let furthest = -1;
  try {
    for (;;)
      try {
        id ??= await begin(transport, video, total, options);
        let sent = await offsetOf(transport, id, signal);
        // An attempt that got further is none in vain.
        if (sent > furthest) retries.reset();
        furthest = Math.max(furthest, sent);
        onProgress?.({ sent, total });
        while (sent < total) {
          sent = await sendFrom(transport, video, { id, offset: sent, total }, options);
          onProgress?.({ sent, total });
        }
        return id;
      } catch (error) {
        await retries.after(error);
      }
  } catch (error) {
    if (signal?.aborted && id !== null) await forget(transport, id);
    throw error;
  }
}

/** What was given up on purpose should not count against its user; but nobody waits long for that. */
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
  const answer = await transport({
    method: 'POST',
    path: PLACE,
    headers: { ...PROTOCOL, 'upload-length': String(total), ...metadata },
    signal,
  });
  const id = answer.headers.get('location')?.split('/').at(-1);
  if (!id) throw strange(answer);
  onBegun?.(id);
  return id;
}

async function offsetOf(transport: Transport, id: string, signal?: AbortSignal): Promise<number> {
  const call = { method: 'HEAD', path: pathOf(id), headers: PROTOCOL, signal } as const;
  const answer = await transport(call).catch((error: unknown) => {
    // A refusal of HEAD has no body that could say why.
    const code = error instanceof ReelayApiError ? REFUSED_HEAD[error.status] : undefined;
    if (!code || !(error instanceof ReelayApiError)) throw error;
    const { status, retryAfter, requestId } = error;
    throw new ReelayApiError(code[1], { status, code: code[0], retryAfter, requestId, cause: error });
  });
  return readOffset(answer);
}

const REFUSED_HEAD: Record<number, readonly [code: string, message: string]> = {
  401: ['unauthorized', 'Send a valid API key.'],
  404: ['unknown_upload', 'There is no such upload.'],
  423: ['upload_locked', 'Another request writes to this upload.'],
  429: ['rate_limited', 'Too many requests.'],
};

/** @returns where the upload stands afterwards */
async function sendFrom(
  transport: Transport,
  video: Video,
  { id, offset, total }: { id: string; offset: number; total: number },
  { signal, onProgress }: SendOptions,
): Promise<number> {
  let broken: { error: unknown } | null = null;
  const body =
    video instanceof Blob
      ? video.slice(offset, offset + PIECE)
      : await restOf(video, offset, {
          onSent: (sent) => onProgress?.({ sent, total }),
          onBroken: (error) => {
            broken = { error };
          },
        });
  const length: Record<string, string> = body instanceof Blob ? {} : { 'content-length': String(total - offset) };
  const headers = { ...PROTOCOL, 'content-type': 'application/offset+octet-stream', ...length };
  const call = { method: 'PATCH', path: pathOf(id), body, signal } as const;
  const answer = await transport({ ...call, headers: { ...headers, 'upload-offset': String(offset) } }).catch(
    (error) => {
      throw broken ? broken.error : error;
    },
  );
  const now = readOffset(answer);
  if (now <= offset) throw strange(answer);
  return now;
}

/** The bytes of a video from one on, exactly as many as were announced. */
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

/** Whether going on from where the upload stands may do better a little later. */
function mayPass(error: unknown): error is ReelayApiError {
  const passing = ['rate_limited', 'upload_locked', 'wrong_offset'];
  return isPassing(error) || (error instanceof ReelayApiError && passing.includes(error.code));
}

function readOffset(answer: Response): number {
  const value = answer.headers.get('upload-offset') ?? '';
  if (!/^\d+$/.test(value)) throw strange(answer);
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
