/** The installed page as a share target (Web Share Target API). `share-worker.js` stores the shared videos. */

/** Name of the cache. */
export const SHARED = 'reelay-shared';

/** Service workers and their storage need https or localhost, and browsers can forbid them. */
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
