import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReelayError } from '../../errors.ts';
import { createFormCollector } from './collect.ts';
import { parseBoundary } from './disposition.ts';
import { expectsContinue } from './expect.ts';
import { createHashing, type MakeHasher } from './hasher.ts';
import { pump } from './pump.ts';
import { type Every, everyInterval } from './speed.ts';
import { createVideoReceiver, LARGEST_VIDEO, type ReceivedVideo, tooLarge } from './video.ts';

/** Maximum size of the rest of the form, in bytes: fields, headers, preamble and epilogue. */
export const LARGEST_REST = 1024 * 1024;

export interface ReceiveOptions {
  /** Folder for the scratch file. On the storage's file system, so that a rename can move it into place. */
  folder: string;
  /** Names of the text fields that the operation accepts; `video` is the file and need not be listed. */
  allowed: readonly string[];
  /** Text fields that may be repeated; default: `platforms`. */
  repeatable?: readonly string[];
  /** Returns whether the form is valid without a file, judging by its fields; default: never. */
  needsNoVideo?: (fields: ReadonlyMap<string, readonly string[]>) => boolean;
  /** In bytes; default: 500 MiB. */
  maxVideoBytes?: number;
  /** Called before each chunk of the video is accepted, with its length in bytes. An error ends the upload. */
  onBytes?: (bytes: number) => void;
  /**
   * Called when the video begins, with the preceding fields. Reading pauses until it resolves. An error ends the
   * upload.
   */
  onVideo?: (fields: ReadonlyMap<string, readonly string[]>) => Promise<void>;
  /** If the client waits for `100 Continue` (see `deferContinue`), it is sent through this response. */
  response?: ServerResponse;
  /** The service's hasher, which shares a thread between uploads. If absent, this upload creates its own. */
  hasher?: MakeHasher;
  /** The clock of the slow sender check. */
  every?: Every;
  signal?: AbortSignal;
}

export interface ReceivedForm {
  /** Every text field with its values in the order sent. */
  fields: Map<string, string[]>;
  /**
   * The caller owns the file and must move or remove it. It has not been synced to disk. null if no file was sent and
   * none was needed.
   */
  video: ReceivedVideo | null;
}

/**
 * Streams a multipart/form-data body with one file, `video`, to disk. Memory use does not grow with the body. After an
 * error the scratch file is removed and the rest of the body is unread: respond with `refuseEarly` or `lingeringBody`.
 * @throws ReelayError `unsupported_media_type`, `invalid_request` (malformed, cut off, too slow, repeated field, text
 * that
 *   is not UTF-8), `unknown_field`, `video_missing`, `several_videos`, `video_too_large`, `storage_full`,
 *   `storage_unavailable`; errors of `onBytes` and `onVideo`; the signal's reason
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

/** Node has already rejected non-numeric values. */
function contentLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}
