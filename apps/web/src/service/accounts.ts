/** Connected accounts. */
import type { ConnectRequest, ReelayClient } from '@reelay/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './service-client.ts';

export const accountsQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: ['accounts'], queryFn: () => client.platforms.list() });

/** One account with its settings, and what would be lost if it was disconnected now. */
export const accountQuery = (client: ReelayClient, id: string) =>
  queryOptions({ queryKey: ['accounts', id], queryFn: () => client.platforms.get(id) });

/** The supported platforms. */
export const catalogQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: ['catalog'], queryFn: () => client.platforms.catalog(), staleTime: 60_000 });

/** Connects one simulated account on every platform. */
export function useConnectSandbox() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.platforms.connectSandbox(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['accounts'] }),
  });
}

export function useConnect() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (request: ConnectRequest) => client.platforms.connect(request),
    onSettled: () => queries.invalidateQueries({ queryKey: ['accounts'] }),
  });
}

export function useDisconnect() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => client.platforms.disconnect(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['accounts'] }),
  });
}
