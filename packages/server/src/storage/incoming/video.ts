import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { apiError, ReelayError } from '../../errors/reelay-error.ts';
import { storageError } from '../storage-error.ts';
import type { MakeHasher } from './hasher.ts';
import { createFileSink, type FileSink } from './sink.ts';

/** Maximum video size, in bytes: 500 MiB. */
export const MAX_VIDEO = 524_288_000;

export interface VideoOptions {
  folder: string;
  maxBytes: number;
  /** Length of the whole body; 0 if unknown. */
  expectedBytes: number;
  hasher: MakeHasher;
  onBytes?: (bytes: number) => void;
  /** Called when the disk is behind: send nothing more until `resume`. */
  pause: () => void;
  resume: () => void;
  onError: (error: ReelayError) => void;
}

/** A video received in a scratch file. */
export interface ReceivedVideo {
  path: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
  /** The sender's file name, without folders. */
  filename?: string;
}

/** Takes the bytes of the file in order. */
export interface VideoWriter {
  /** @throws ReelayError `video_too_large` */
  data(chunk: Buffer): void;
  /** @throws ReelayError `video_missing` for an empty file */
  end(): void;
}

/** Receives one file and writes it to disk. */
export interface VideoReceiver {
  open(filename: string | undefined): VideoWriter;
  /** Number of bytes received so far. */
  bytes(): number;
  /** @throws `video_missing` if no file was opened or it is empty; otherwise the storage's error */
  finish(): Promise<ReceivedVideo>;
  /** Removes the scratch file, if any. Never throws. */
  discard(): Promise<void>;
}

/** Writes the file to a unique path in the folder. `discard` removes it; after `finish` the caller owns it. */
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
          if (sink.bytes() === 0) throw apiError('video_empty');
        },
      };
    },
    bytes: () => current?.sink.bytes() ?? 0,
    async finish() {
      if (current === null) throw new ReelayError('video_missing');
      const { filename, sink } = current;
      if (sink.bytes() === 0) throw apiError('video_empty');
      const stored = await sink.finish().catch((cause) => {
        throw storageError(cause);
      });
      return { path, ...stored, ...(filename === undefined ? {} : { filename }) };
    },
    async discard() {
      // Close before removing: an open in progress would create the file again.
      await current?.sink.abort();
      if (current !== null) await rm(path, { force: true }).catch(() => {});
    },
  };
}

/** The error for a video larger than `maxBytes`. */
export function tooLarge(maxBytes: number): ReelayError {
  return apiError('video_larger_than', { limit: maxBytes });
}
