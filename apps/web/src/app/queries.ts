import { ReelayApiError } from '@reelay/sdk';
import { QueryClient } from '@tanstack/react-query';

/** Creates the cache of what the service answered. Refusals are final; only failures of the connection are retried. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 3 && error instanceof ReelayApiError && error.status === 0,
        staleTime: 10_000,
      },
      mutations: { retry: false },
    },
  });
}
