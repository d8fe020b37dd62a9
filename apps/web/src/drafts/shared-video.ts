/** A video that another app has shared with the installed page. The service worker (`share-worker.js`) keeps it. */

const SHARED = 'reelay-shared';
const SHARED_VIDEO = '/app/shared-video';

/** Only https pages and localhost have workers and their storage. */
const storage = (): CacheStorage | undefined => globalThis.caches;

/** Installs the worker. Without it, the page cannot be a share target, but everything else works. */
export function installShareWorker(): void {
  void navigator.serviceWorker?.register('/app/share-worker.js', { scope: '/app/' }).catch(() => {});
}

export async function hasSharedVideo(): Promise<boolean> {
  return (await storage()?.has(SHARED)) ?? false;
}

/** @returns null if nothing was shared. The same video is the same file, also after a reload. */
export async function readSharedVideo(): Promise<File | null> {
  if (!(await hasSharedVideo())) return null;
  const response = await storage()?.match(SHARED_VIDEO);
  if (!response) return null;
  const name = decodeURIComponent(response.headers.get('x-name') ?? 'video');
  const lastModified = Number(response.headers.get('x-last-modified'));
  const blob = await response.blob();
  return new File([blob], name, { type: blob.type, lastModified });
}

export async function forgetSharedVideo(): Promise<void> {
  await storage()?.delete(SHARED);
}
