import { ReelayApiError } from '@reelay/sdk';
import { QueryClient } from '@tanstack/react-query';

/**
 * Creates the cache of what the service answered. Refusals are final; only failures of the connection are retried.
 *
 * The browser's opinion whether it is online decides nothing: it says nothing about a service on this machine, and an
 * action that waited for it would be done later, when nobody expects it.
 */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 3 && error instanceof ReelayApiError && error.status === 0,
        staleTime: 10_000,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
