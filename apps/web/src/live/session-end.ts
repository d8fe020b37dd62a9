/** Noticing that the session has ended. */
import type { MutationCacheNotifyEvent, QueryCacheNotifyEvent, QueryClient } from '@tanstack/react-query';
import type { UploadManager } from '../drafts/upload-manager.ts';
import { isSignedOut } from '../queries/signed-out.ts';

/** Calls the listener whenever anything that is read, done or uploaded is refused without a session. @returns ends it */
export function onSessionEnd(queries: QueryClient, manager: UploadManager, listener: () => void): () => void {
  const report = (error: unknown) => isSignedOut(error) && listener();
  const onEvent = (event: QueryCacheNotifyEvent | MutationCacheNotifyEvent) => {
    if (event.type === 'updated' && event.action.type === 'error') report(event.action.error);
  };
  const ends = [
    queries.getQueryCache().subscribe(onEvent),
    queries.getMutationCache().subscribe(onEvent),
    manager.subscribe(() => {
      const job = manager.get();
      if (job?.status === 'failed') report(job.error);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
