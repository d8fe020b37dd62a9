/** Connected accounts. */
import type { ConnectRequest, ReelayClient } from '@reelay/sdk';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { storeAttempt } from './attempt.ts';
import { useClient } from './client.ts';
import { accountKeys } from './keys.ts';

export const accountsQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: accountKeys.all, queryFn: () => client.platforms.list() });

/** One account with its settings, and the losses of disconnecting it. */
export const accountQuery = (client: ReelayClient, id: string) =>
  queryOptions({ queryKey: accountKeys.one(id), queryFn: () => client.platforms.get(id) });

/** The form for the options of a post on an account. */
export const postFormQuery = (client: ReelayClient, id: string) =>
  queryOptions({ queryKey: accountKeys.form(id), queryFn: () => client.platforms.form(id), staleTime: 60_000 });

/**
 * Reads an account from its platform, because some platforms require that a post is composed with the current settings
 * of the account. Then its form is read again.
 */
export const currentAccountQuery = (client: ReelayClient, queries: QueryClient, id: string) =>
  queryOptions({
    queryKey: accountKeys.current(id),
    queryFn: async () => {
      const account = await client.platforms.refresh(id);
      await queries.invalidateQueries({ queryKey: postFormQuery(client, id).queryKey });
      return account;
    },
    staleTime: 300_000,
    retry: false,
  });

export const catalogQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: accountKeys.catalog, queryFn: () => client.platforms.catalog(), staleTime: 60_000 });

/** Connects one simulated account on every platform that has none, or another one on a platform. */
export function useConnectSandbox() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (platform?: string) => client.platforms.connectSandbox(platform),
    onSettled: () => queries.invalidateQueries({ queryKey: accountKeys.all }),
  });
}

/**
 * Connects an account, or replaces this page with the platform's consent page.
 * @param retryPost id of a post; it is retried on the account when the user returns from that page
 */
export function useConnect(retryPost?: string) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ secret, choices, ...request }: ConnectRequest) {
      const started = await client.platforms.connect({
        ...request,
        ...(secret === undefined ? {} : { secret }),
        ...(choices === undefined ? {} : { choices }),
      });
      if (started.url) {
        storeAttempt({ id: started.attempt, request, ...(retryPost === undefined ? {} : { retryPost }) });
        window.location.assign(started.url);
      }
      return started;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: accountKeys.all }),
  });
}

export function useRefreshAccount(id: string) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.platforms.refresh(id),
    onSuccess: ({ fresh: _, ...account }) => queries.setQueryData(accountQuery(client, id).queryKey, account),
    onSettled: () => queries.invalidateQueries({ queryKey: accountKeys.all }),
  });
}

export function useChoose(id: string) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (choices: Record<string, string>) => client.platforms.choose(id, choices),
    onSuccess: (account) => queries.setQueryData(accountQuery(client, id).queryKey, account),
    onSettled: () => queries.invalidateQueries({ queryKey: accountKeys.all }),
  });
}

export function useDisconnect() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => client.platforms.disconnect(id),
    onSettled: () => queries.invalidateQueries({ queryKey: accountKeys.all }),
  });
}
