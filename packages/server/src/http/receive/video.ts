import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ReelayError } from '../../errors.ts';
import { storageError } from '../../media/disk.ts';
import type { MakeHasher } from './hasher.ts';
import type { PartHandler } from './parts.ts';
import { createFileSink, type FileSink } from './sink.ts';

/** Largest video, in bytes: 500 MiB. */
export const LARGEST_VIDEO = 524_288_000;

export interface VideoOptions {
  folder: string;
  maxBytes: number;
  /** Length of the whole body, 0 when not told. */
  expectedBytes: number;
  hasher: MakeHasher;
  onBytes?: (bytes: number) => void;
  /** The disk lags behind: send nothing more until `resume`. */
  pause: () => void;
  resume: () => void;
  onError: (error: ReelayError) => void;
}

/** A video that has arrived in a scratch file. */
export interface ReceivedVideo {
  path: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
  /** As the sender named it, without folders. */
  filename?: string;
}

/** The one file of a form on its way to disk. */
export interface VideoReceiver {
  open(filename: string | undefined): PartHandler;
  /** Bytes taken so far. */
  bytes(): number;
  /** Throws `video_missing` when none was opened or it is empty, or the storage's error. */
  finish(): Promise<ReceivedVideo>;
  /** Removes the scratch file, if there is one. Never throws. */
  discard(): Promise<void>;
}

/** Writes the file below `folder` under a name of its own; it is removed by `discard` or belongs to whom `finish` gave it. */
export function createVideoReceiver(options: VideoOptions): VideoReceiver {
  const path = join(options.folder, `${randomUUID()}.upload`);
  let current: { sink: FileSink; filename: string | undefined } | null = null;
  return {
    open(filename) {
      const sink = createFileSink(open(path, 'wx', 0o600), options.hasher(path, options.expectedBytes), {
        onDrain: options.resume,
        onError: (cause) => options.onError(storageError(cause)),
      });
      current = { sink, filename };
      return {
        data(chunk) {
          if (sink.bytes() + chunk.length > options.maxBytes) throw tooLarge(options.maxBytes);
          options.onBytes?.(chunk.length);
          if (!sink.write(chunk)) options.pause();
        },
        end() {
          if (sink.bytes() === 0)
            throw new ReelayError('video_missing', 'The file in the form field "video" is empty.');
        },
      };
    },
    bytes: () => current?.sink.bytes() ?? 0,
    async finish() {
      if (current === null) throw new ReelayError('video_missing');
      const { filename, sink } = current;
      if (sink.bytes() === 0) throw new ReelayError('video_missing', 'The file in the form field "video" is empty.');
      const stored = await sink.finish().catch((cause) => {
        throw storageError(cause);
      });
      return { path, ...stored, ...(filename === undefined ? {} : { filename }) };
    },
    async discard() {
      // Closed before it is removed: an opening under way would bring it back.
      await current?.sink.abort();
      if (current !== null) await rm(path, { force: true }).catch(() => {});
    },
  };
}

/** The refusal of a video over the limit of so many bytes. */
export function tooLarge(maxBytes: number): ReelayError {
  return new ReelayError('video_too_large', `The video is larger than ${maxBytes.toLocaleString('en')} bytes.`);
}
