import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiError } from '../../errors/reelay-error.ts';
import { createHashing, type MakeHasher } from '../../storage/incoming/hasher.ts';
import { createVideoReceiver, MAX_VIDEO, type ReceivedVideo, tooLarge } from '../../storage/incoming/video.ts';
import { createFormCollector } from './collect.ts';
import { parseBoundary } from './disposition.ts';
import { expectsContinue } from './expect.ts';
import { pump } from './pump.ts';
import { type Every, everyInterval } from './speed.ts';

/** Maximum size of the rest of the form, in bytes: fields, headers, preamble and epilogue. */
export const MAX_REST = 1024 * 1024;

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

/** A form that is being received. End it with `receive` or `discard`. */
export interface IncomingForm {
  /**
   * Waits until the video begins. The video is held back until `receive`.
   * @returns the fields before the video; null if the form ended without a video
   * @throws as {@link openForm}
   */
  untilVideo(): Promise<ReadonlyMap<string, readonly string[]> | null>;
  /** Ends the upload with this error. @throws it, or an earlier error of the upload */
  abort(error: unknown): Promise<never>;
  /** Receives the rest; on an error no file is left. @throws as {@link openForm} */
  receive(): Promise<ReceivedForm>;
  /** Stops receiving and removes the scratch file. Does nothing after `receive`. Never throws. */
  discard(): Promise<void>;
}

/** Receives a whole form; on an error no file is left. @throws as {@link openForm} */
export async function receiveForm(request: IncomingMessage, options: ReceiveOptions): Promise<ReceivedForm> {
  return openForm(request, options).receive();
}

/**
 * Begins to stream a multipart/form-data body with one file, `video`, to disk. Memory use does not grow with the body.
 * After an error the rest of the body is unread: respond with `refuseEarly` or `lingeringBody`.
 * @throws ReelayError `unsupported_media_type`, `invalid_request` (malformed, cut off, too slow, repeated field, text
 *   that is not UTF-8), `unknown_field`, `video_missing`, `several_videos`, `video_too_large`, `storage_full`,
 *   `storage_unavailable`; errors of `onBytes`; the signal's reason
 */
export function openForm(request: IncomingMessage, options: ReceiveOptions): IncomingForm {
  const maxBytes = options.maxVideoBytes ?? MAX_VIDEO;
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
  let holds = false;
  const { fields, onPart, beforeVideo, hasVideo } = createFormCollector({
    allowed: options.allowed,
    repeatable: options.repeatable ?? ['platforms'],
    openVideo(filename) {
      if (holds) request.pause();
      return video.open(filename);
    },
  });
  const reading = pump(request, {
    boundary,
    onPart,
    failure: failure.promise,
    every: options.every ?? everyInterval,
    signal: options.signal,
    isTooMuch: (bodyBytes) => bodyBytes - video.bytes() > MAX_REST,
  });
  // The methods below report it.
  reading.catch(() => {});
  let ended = false;
  const discard = async () => {
    if (ended) return;
    ended = true;
    failure.reject(new Error('The form was discarded.'));
    await reading.catch(() => {});
    await video.discard();
  };
  return {
    async untilVideo() {
      holds = true;
      return Promise.race([beforeVideo, reading.then(() => (hasVideo() ? beforeVideo : null))]);
    },
    async abort(error) {
      failure.reject(error);
      await reading;
      throw error;
    },
    async receive() {
      if (holds) request.resume();
      try {
        await reading;
        const received = !hasVideo() && options.needsNoVideo?.(fields) ? null : await video.finish();
        ended = true;
        return { fields, video: received };
      } catch (error) {
        await discard();
        throw error;
      }
    },
    discard,
  };
}

function checkHeaders(request: IncomingMessage, maxBytes: number): string {
  const boundary = parseBoundary(request.headers['content-type']);
  if (boundary === null) {
    throw apiError('form_type_wrong');
  }
  if (contentLength(request) > maxBytes + MAX_REST) throw tooLarge(maxBytes);
  if (boundary === '') throw apiError('form_boundary_invalid');
  return boundary;
}

/** Node has already rejected non-numeric values. */
function contentLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}
