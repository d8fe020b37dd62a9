import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReelayError } from '../../errors.ts';
import { createFormCollector } from './collect.ts';
import { parseBoundary } from './disposition.ts';
import { expectsContinue } from './expect.ts';
import { createHashing, type MakeHasher } from './hasher.ts';
import { pump } from './pump.ts';
import { type Every, everyInterval } from './speed.ts';
import { createVideoReceiver, LARGEST_VIDEO, type ReceivedVideo, tooLarge } from './video.ts';

/** Bytes that everything else of the form may take: fields, headers, what stands before and after the parts. */
export const LARGEST_REST = 1024 * 1024;

export interface ReceiveOptions {
  /** Folder for the scratch file, on the storage's file system, so that it can be kept by a rename. */
  folder: string;
  /** Names of the text fields that the operation knows; `video` is the file and need not be named. */
  allowed: readonly string[];
  /** Text fields that may come more than once; `platforms` by default. */
  repeatable?: readonly string[];
  /** Whether these fields tell that no file comes with the form; never by default. */
  needsNoVideo?: (fields: ReadonlyMap<string, readonly string[]>) => boolean;
  /** In bytes; 500 MiB by default. */
  maxVideoBytes?: number;
  /** Called before each chunk of the video is taken, with its length in bytes. What it throws ends the upload. */
  onBytes?: (bytes: number) => void;
  /**
   * Called when the video begins, with the fields that came before it; meanwhile no more of the body is read. What it
   * throws ends the upload.
   */
  onVideo?: (fields: ReadonlyMap<string, readonly string[]>) => Promise<void>;
  /** When the client waits for `100 Continue` (see `deferContinue`), it is told to go on through this. */
  response?: ServerResponse;
  /** Of the service, which shares a thread between uploads; absent: one of this upload's own. */
  hasher?: MakeHasher;
  /** The clock of the guard against slow senders. */
  every?: Every;
  signal?: AbortSignal;
}

export interface ReceivedForm {
  /** Every text field with its values in the order sent. */
  fields: Map<string, string[]>;
  /**
   * The caller owns the file from now on: it moves or removes it. It has not been synced to disk. null: none came, and none was
   * needed.
   */
  video: ReceivedVideo | null;
}

/**
 * Reads a multipart/form-data body with one file, `video`, straight to disk. Memory does not grow with the body.
 * Throws ReelayError: `unsupported_media_type`, `invalid_request` (malformed, cut off, too slow, repeated field, text that
 * is no UTF-8), `unknown_field`, `video_missing`, `several_videos`, `video_too_large`, `storage_full`,
 * `storage_unavailable`; what `onBytes` and `onVideo` throw; the signal's reason. Whatever it throws, the scratch file is
 * gone and the rest of the body unread: answer through `refuseEarly` or `lingeringBody`.
 */
export async function receiveForm(request: IncomingMessage, options: ReceiveOptions): Promise<ReceivedForm> {
  const maxBytes = options.maxVideoBytes ?? LARGEST_VIDEO;
  const boundary = checkHeaders(request, maxBytes);
  if (options.response !== undefined && expectsContinue(request)) options.response.writeContinue();

  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  const video = createVideoReceiver({
    folder: options.folder,
    maxBytes,
    expectedBytes: contentLength(request),
    hasher: options.hasher ?? createHashing(),
    onBytes: options.onBytes,
    pause: () => request.pause(),
    resume: () => request.resume(),
    onError: failure.reject,
  });
  let asked: Promise<void> | undefined;
  const { fields, onPart, settled, hasVideo } = createFormCollector({
    allowed: options.allowed,
    repeatable: options.repeatable ?? ['platforms'],
    openVideo(filename) {
      if (options.onVideo) {
        request.pause();
        asked = settled().then(() => options.onVideo?.(fields));
        asked.then(() => request.resume(), failure.reject);
      }
      return video.open(filename);
    },
  });
  try {
    await pump(request, {
      boundary,
      onPart,
      failure: failure.promise,
      every: options.every ?? everyInterval,
      signal: options.signal,
      isTooMuch: (bodyBytes) => bodyBytes - video.bytes() > LARGEST_REST,
    });
    await asked;
    if (!hasVideo() && options.needsNoVideo?.(fields)) return { fields, video: null };
    return { fields, video: await video.finish() };
  } catch (error) {
    await video.discard();
    throw error;
  }
}

function checkHeaders(request: IncomingMessage, maxBytes: number): string {
  const boundary = parseBoundary(request.headers['content-type']);
  if (boundary === null) {
    throw new ReelayError('unsupported_media_type', 'Send the form as multipart/form-data.');
  }
  if (contentLength(request) > maxBytes + LARGEST_REST) throw tooLarge(maxBytes);
  if (boundary === '') throw new ReelayError('invalid_request', 'The Content-Type header has no valid boundary.');
  return boundary;
}

/** Node has refused anything but digits by now. */
function contentLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}
