/** Noticing that the session has ended. */
import { ReelayApiError } from '@reelay/sdk';
import type { QueryClient } from '@tanstack/react-query';
import type { UploadManager } from './upload-manager.ts';

/** Whether the service refused something because nobody is signed in. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ReelayApiError && error.code === 'unauthorized';

/** Calls the listener whenever anything that is read, done or uploaded is refused so. @returns ends it */
export function onSignedOut(queries: QueryClient, manager: UploadManager, listener: () => void): () => void {
  const report = (error: unknown) => isSignedOut(error) && listener();
  const ends = [
    queries.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') report(event.action.error);
    }),
    queries.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') report(event.action.error);
    }),
    manager.subscribe(() => {
      const job = manager.get();
      if (job?.status === 'failed') report(job.error);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
