/** The user's API key. */
import type { ReelayClient } from '@reelay/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { apiKeyKeys } from './keys.ts';
import { userQuery } from './user.ts';

/** Information about the key; null if the user never had one. */
export const keyQuery = (client: ReelayClient) =>
  queryOptions({
    queryKey: apiKeyKeys.info,
    async queryFn({ client: queries }) {
      const { hasApiKey } = await queries.fetchQuery(userQuery(client));
      if (!hasApiKey) return null;
      return client.key.info();
    },
  });

/** Refetches the user first, who tells whether there is a key. */
function useKeyChange<Result>(change: (client: ReelayClient) => Promise<Result>) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => change(client),
    async onSettled() {
      await queries.invalidateQueries({ queryKey: userQuery(client).queryKey, exact: true, refetchType: 'none' });
      await queries.invalidateQueries({ queryKey: apiKeyKeys.info });
    },
  });
}

/** Creates a key, which replaces the previous one. Only this result contains it in plain text. */
export const useGenerateKey = () => useKeyChange((client) => client.key.generate());

export const useRevokeKey = () => useKeyChange((client) => client.key.revoke());
