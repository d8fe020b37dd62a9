/**
 * Installs the service worker, which shows a page of our own while the service cannot be reached, and takes shared videos.
 * Without it, everything else works.
 */
export function installServiceWorker(): void {
  void navigator.serviceWorker?.register('/app/service-worker.js', { scope: '/app/' }).catch(() => {});
}
