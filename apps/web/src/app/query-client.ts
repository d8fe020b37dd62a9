import { ReelayApiError } from '@reelay/sdk';
import { QueryClient } from '@tanstack/react-query';

/**
 * Creates the cache of the service's responses. Only connection failures are retried.
 *
 * Ignores `navigator.onLine`: it says nothing about a service on this machine, and a paused mutation would run
 * later, when the user no longer expects it.
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
