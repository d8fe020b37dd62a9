import type { Config } from '../../config/config.ts';
import { apiError } from '../../errors/reelay-error.ts';
import { createSharedSemaphore } from '../../lib/semaphore.ts';
import { MINUTE } from '../../lib/time.ts';
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

/** Fetches the file of a post from its platform into a scratch file, as {@link fetchVideo}. Users share the slots. */
export type FetchFile = (source: FileSource, options: { userId: string; signal: AbortSignal }) => Promise<ScratchFile>;

type ScratchFile = Awaited<ReturnType<typeof fetchVideo>>;

/** Timeout in ms for the file of a post, once it has a slot: half a gigabyte at about 1 MB per second. */
const FILE_WITHIN_MS = 10 * MINUTE;
/** As many as jobs that fetch files, whose claim also limits those of users' own servers. */
const FILES_AT_ONCE = 8;

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
  const slots = createSharedSemaphore({ slots: FILES_AT_ONCE });
  return ({ url, headers, guard }, { userId, signal }) => {
    const fetch = () =>
      fetchVideo(url, {
        folder: storage.scratch,
        guard,
        hasher: uploads.hasher,
        maxBytes: MAX_VIDEO,
        deadlineMs: FILE_WITHIN_MS,
        onBytes: uploads.used,
        signal,
        headers,
        userAgent: `Reelay (${config.publicUrl})`,
      });
    return slots.run(userId, fetch, signal);
  };
}

/** Timeout in ms for a fetch, once it has a slot. */
const WITHIN_MS = 45_000;
/** Maximum concurrent fetches per process, half of them for one user; further ones wait. */
const AT_ONCE = 16;
/** Maximum wait for a slot, in ms. */
const WAIT_MS = 30_000;

type UserFetch = Pick<FetchOptions, 'onBytes' | 'signal'> & { userId: string };

/**
 * Creates the function that fetches videos from URLs into the storage's scratch folder, as {@link fetchVideo}. Users share
 * the slots. Rejects with `busy` if no slot is free in time.
 */
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
  const slots = createSharedSemaphore({ slots: AT_ONCE });
  return async (address: string, { userId, onBytes, signal }: UserFetch) => {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(apiError('fetches_full')), WAIT_MS);
    const fetch = () => {
      clearTimeout(timer);
      return fetchVideo(address, {
        folder: storage.scratch,
        guard,
        hasher: uploads.hasher,
        maxBytes: MAX_VIDEO,
        deadlineMs: WITHIN_MS,
        onBytes(bytes) {
          onBytes(bytes);
          uploads.used(bytes);
        },
        signal,
        userAgent: `Reelay (${config.publicUrl})`,
      });
    };
    try {
      return await slots.run(userId, fetch, AbortSignal.any([signal, waiting.signal]));
    } finally {
      clearTimeout(timer);
    }
  };
}
