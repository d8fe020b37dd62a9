/** Tells other tabs that this tab sends an upload. Web Locks need https or localhost; without them, no tab is informed. */

const nameOf = (uploadId: string) => `reelay-upload-${uploadId}`;

/** @returns releases the lock; closing the tab does too */
export function holdUpload(uploadId: string): () => void {
  const ended = Promise.withResolvers<void>();
  navigator.locks?.request(nameOf(uploadId), () => ended.promise).catch(() => {});
  return () => ended.resolve();
}

/** Reports whether a tab sends the upload: now, and again when it stops. */
export function watchUpload(uploadId: string, signal: AbortSignal, report: (isBusy: boolean) => void): void {
  const name = nameOf(uploadId);
  navigator.locks
    ?.request(name, { mode: 'shared', ifAvailable: true }, async (lock) => {
      if (signal.aborted || lock) return;
      report(true);
      // Not awaited: the lock is granted only after the first request ends.
      void navigator.locks.request(name, { mode: 'shared', signal }, () => report(false)).catch(() => {});
    })
    .catch(() => {});
}
