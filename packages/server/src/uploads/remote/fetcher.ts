import type { Config } from '../../config/config.ts';
import { MINUTE } from '../../lib/time.ts';
import { createSemaphore } from '../../media/semaphore.ts';
import type { AddressGuard } from '../../outbound/address-guard.ts';
import { createSourceGuard } from '../../outbound/video-source-guard.ts';
import type { Storage } from '../../storage/contract.ts';
import type { MakeHasher } from '../../storage/incoming/hasher.ts';
import { MAX_VIDEO } from '../../storage/incoming/video.ts';
import { type FetchOptions, fetchVideo } from './video-address.ts';

/** What fetching a platform's file needs. */
export interface FileSource {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Decides which addresses the platform's files may have. */
  guard: AddressGuard;
}

/** Fetches the file of a post from its platform into a scratch file, as {@link fetchVideo}. */
export type FetchFile = (source: FileSource, signal: AbortSignal) => Promise<ScratchFile>;

type ScratchFile = Awaited<ReturnType<typeof fetchVideo>>;

/** Timeout in ms for the file of a post: half a gigabyte at about 1 MB per second. */
const FILE_WITHIN_MS = 10 * MINUTE;
const FILES_AT_ONCE = 4;

/** Creates the function that fetches files of posts from platforms. */
export function createFileFetcher({
  config,
  storage,
  uploads,
}: {
  config: Pick<Config, 'publicUrl'>;
  storage: Pick<Storage, 'scratch'>;
  uploads: { hasher: MakeHasher; used(bytes: number): void };
}): FetchFile {
  const slots = createSemaphore(FILES_AT_ONCE);
  return ({ url, headers, guard }, signal) =>
    fetchVideo(url, {
      folder: storage.scratch,
      guard,
      hasher: uploads.hasher,
      maxBytes: MAX_VIDEO,
      deadlineMs: FILE_WITHIN_MS,
      slots,
      onBytes: uploads.used,
      signal,
      headers,
      userAgent: `Reelay (${config.publicUrl})`,
    });
}

/** Timeout in ms for a fetch and its wait for a slot. The rest of the minute is for the checks of the video. */
const WITHIN_MS = 45_000;
/** Maximum concurrent fetches per process; further ones wait. */
const AT_ONCE = 8;

/** Creates the function that fetches videos from URLs into the storage's scratch folder, as {@link fetchVideo}. */
export function createFetcher({
  config,
  storage,
  uploads,
  videoHosts = [],
}: {
  config: Pick<Config, 'publicUrl'>;
  storage: Pick<Storage, 'scratch'>;
  uploads: { hasher: MakeHasher; used(bytes: number): void };
  /**
   * Hosts (`host:port`) that may be private and use plain HTTP. Empty except in tests, because any user may name them.
   */
  videoHosts?: readonly string[] | undefined;
}) {
  const guard = createSourceGuard(videoHosts, config.publicUrl);
  const slots = createSemaphore(AT_ONCE);
  return (address: string, { onBytes, signal }: Pick<FetchOptions, 'onBytes' | 'signal'>) =>
    fetchVideo(address, {
      folder: storage.scratch,
      guard,
      hasher: uploads.hasher,
      maxBytes: MAX_VIDEO,
      deadlineMs: WITHIN_MS,
      slots,
      onBytes(bytes) {
        onBytes(bytes);
        uploads.used(bytes);
      },
      signal,
      userAgent: `Reelay (${config.publicUrl})`,
    });
}
