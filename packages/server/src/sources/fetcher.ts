import type { Config } from '../config/config.ts';
import type { MakeHasher } from '../http/receive/hasher.ts';
import { LARGEST_VIDEO } from '../http/receive/video.ts';
import { createSemaphore } from '../media/semaphore.ts';
import type { Storage } from '../storage/contract.ts';
import { createSourceGuard } from './guard.ts';
import { type FetchOptions, fetchVideo } from './video-address.ts';

/** For a fetch and its wait for a slot, in ms. The checks of the video have the rest of the minute. */
const WITHIN_MS = 45_000;
/** So many of one process; whoever comes later waits for one to end. */
const AT_ONCE = 8;

/** Fetches videos by their addresses into the storage's scratch folder, as {@link fetchVideo}. */
export function createFetcher({
  config,
  storage,
  uploads,
  videoHosts = [],
}: {
  config: Pick<Config, 'publicUrl'>;
  storage: Pick<Storage, 'scratch'>;
  uploads: { hasher: MakeHasher; used(bytes: number): void };
  /** Hosts (`host:port`) that may be private and speak plain HTTP: none but in tests, because any user may name them. */
  videoHosts?: readonly string[] | undefined;
}) {
  const guard = createSourceGuard(videoHosts, config.publicUrl);
  const slots = createSemaphore(AT_ONCE);
  return (address: string, { onBytes, signal }: Pick<FetchOptions, 'onBytes' | 'signal'>) =>
    fetchVideo(address, {
      folder: storage.scratch,
      guard,
      hasher: uploads.hasher,
      maxBytes: LARGEST_VIDEO,
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
