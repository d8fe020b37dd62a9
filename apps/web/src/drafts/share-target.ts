/** The installed page as a target of other apps. The service worker (`share-worker.js`) keeps what they share. */

/** Name of the cache. */
export const SHARED = 'reelay-shared';

/** Only https pages and localhost have workers and their storage, and browsers can forbid it. */
export function sharedStorage(): CacheStorage | undefined {
  try {
    return globalThis.caches;
  } catch {
    return undefined;
  }
}

/** Installs the worker. Without it, the page cannot be a share target, but everything else works. */
export function installShareWorker(): void {
  void navigator.serviceWorker?.register('/app/share-worker.js', { scope: '/app/' }).catch(() => {});
}

export async function hasSharedVideo(): Promise<boolean> {
  return (await sharedStorage()?.has(SHARED)) ?? false;
}
