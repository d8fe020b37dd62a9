/** The installed page as a share target (Web Share Target API). `service-worker.js` stores the shared videos. */

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

export async function hasSharedVideo(): Promise<boolean> {
  return (await sharedStorage()?.has(SHARED)) ?? false;
}
