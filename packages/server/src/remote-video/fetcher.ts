import type { Config } from '../config/config.ts';
import type { MakeHasher } from '../http/receive/hasher.ts';
import { MAX_VIDEO } from '../http/receive/video.ts';
import { createSemaphore } from '../media/semaphore.ts';
import { createSourceGuard } from '../outbound/video-source-guard.ts';
import type { Storage } from '../storage/contract.ts';
import { type FetchOptions, fetchVideo } from './video-address.ts';

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
