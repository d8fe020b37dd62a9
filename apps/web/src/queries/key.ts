/** The user's API key. */
import type { ReelayClient } from '@reelay/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { apiKeyKeys } from './keys.ts';
import { isRefused } from './refused.ts';

/** Information about the key; null if the user never had one. */
export const keyQuery = (client: ReelayClient) =>
  queryOptions({
    queryKey: apiKeyKeys.info,
    queryFn: () =>
      client.key.info().catch((error: unknown) => {
        if (isRefused(error, 'no_api_key')) return null;
        throw error;
      }),
  });

/** Creates a key, which replaces the previous one. Only this result contains it in plain text. */
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
