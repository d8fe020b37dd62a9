import { type FileHandle, open } from 'node:fs/promises';
import type { LRUCache } from 'lru-cache';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { createSemaphore, type Semaphore } from '../lib/semaphore.ts';
import { storageError } from '../storage/storage-error.ts';
import { walkBoxes } from './boxes.ts';
import { FORMATS } from './formats.ts';
import type { Limits } from './guard.ts';
import type { ProbeResult } from './packets.ts';
import { probe } from './probe.ts';
import { isCutAvi, SNIFF_BYTES, sniff } from './sniff.ts';
import type { MediaTools } from './tools.ts';
import type { Container, Fit, VideoFacts } from './types.ts';
import { judge } from './verdict.ts';

/** What the first bytes and the top-level structure show. */
export interface Inspection {
  bytes: number;
  container: Container;
  /** As in {@link VideoFacts}. */
  indexFirst?: boolean;
}

export interface CheckOptions {
  signal?: AbortSignal;
  /** Result of an earlier structure check; determined when absent. */
  seen?: Inspection;
  /** If given, any shape is accepted, because the video will be converted to 9:16. */
  fit?: Fit | null;
  /** Whether only a part is posted. Then the video may last ten minutes. */
  isTrimmed?: boolean;
  /** SHA-256 of the file in hexadecimal. If given, a cached probe of the video is used. */
  sha256?: string;
}

export interface MediaChecker {
  /**
   * The checks that need no external program; take 1 to 2 ms.
   * @throws ReelayError `video_unreadable`, or `storage_unavailable` when the file cannot be opened
   */
  inspect(path: string): Promise<Inspection>;
  /**
   * Checks a video by its content, never by its name.
   * @throws ReelayError `video_unreadable`, `video_too_short`, `video_too_long` or `video_not_vertical` with the
   * measured value, `storage_unavailable` when the file cannot be opened; the signal's reason
   */
  check(path: string, options?: CheckOptions): Promise<VideoFacts>;
}

export interface CheckerOptions {
  tools: MediaTools;
  /** Shared limit of concurrent probes. Default: two. */
  probes?: Semaphore;
  limits?: Limits;
  /** Maximum packets of one video, over all streams. The default exceeds any legitimate video. */
  mostPackets?: number;
  /** Cache of probe results, by hash. Failures are not cached: the next probe may finish in time. */
  known?: LRUCache<string, ProbeResult>;
}

/** Creates the checker that decides whether a file is a video that can be posted. */
export function createMediaChecker(options: CheckerOptions): MediaChecker {
  const probes = options.probes ?? createSemaphore(2);
  const probed = async (path: string, container: Container, { signal, sha256 }: CheckOptions) => {
    const known = sha256 && options.known?.get(sha256);
    if (known) return known;
    const found = await probes.run(() => probe(path, container, { ...options, signal }), signal);
    if (found instanceof ReelayError) throw found;
    if (sha256) options.known?.set(sha256, found);
    return found;
  };
  return {
    inspect,
    async check(path, asked = {}) {
      const { bytes, container, indexFirst } = asked.seen ?? (await inspect(path));
      asked.signal?.throwIfAborted();
      const found = await probed(path, container, asked);
      const verdict = judge({
        ...{ bytes, container, indexFirst, probe: found },
        ...{ anyShape: Boolean(asked.fit), isTrimmed: asked.isTrimmed === true },
      });
      if ('refusal' in verdict) throw verdict.refusal;
      return verdict.facts;
    },
  };
}

/** Detects the container from magic bytes, then checks the top-level structure. */
async function inspect(path: string): Promise<Inspection> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    const { size } = await file.stat();
    if (size === 0) throw apiError('file_empty');
    const readAt = reader(file);
    const head = await readAt(0, SNIFF_BYTES);
    const container = sniff(head);
    if (container === null) throw apiError('file_format_unknown');
    const boxes = FORMATS[container].boxes ? await walkBoxes(readAt, size) : null;
    if (boxes && 'problem' in boxes) throw boxes.problem;
    if (container === 'avi' && isCutAvi(head, size)) throw apiError('file_truncated');
    return { bytes: size, container, ...boxes };
  } catch (error) {
    throw storageError(error);
  } finally {
    await file?.close();
  }
}

function reader(file: FileHandle): (offset: number, length: number) => Promise<Uint8Array> {
  return async (offset, length) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };
}
