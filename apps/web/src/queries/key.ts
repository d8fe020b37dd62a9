/** The user's API key. */
import { ReelayApiError, type ReelayClient } from '@reelay/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { apiKeyKeys } from './keys.ts';

/** What is known about the key; null if there never was one. */
export const keyQuery = (client: ReelayClient) =>
  queryOptions({
    queryKey: apiKeyKeys.info,
    queryFn: () =>
      client.key.info().catch((error: unknown) => {
        if (error instanceof ReelayApiError && error.code === 'no_api_key') return null;
        throw error;
      }),
  });

/** Creates a key, which replaces the previous one. The result is the only place where it is readable. */
export function useGenerateKey() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.key.generate(),
    onSettled: () => queries.invalidateQueries({ queryKey: apiKeyKeys.info }),
  });
}

export function useRevokeKey() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.key.revoke(),
    onSettled: () => queries.invalidateQueries({ queryKey: apiKeyKeys.info }),
  });
}
