/** The operator's data: users, queues, storage, checks and the audit log. */
import type { ManagedUser, ReelayClient } from '@reelay/sdk';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { operatorKeys } from './keys.ts';

/** How often gauges are read, in ms. */
const GAUGE_MS = 10_000;
/** How often the storage is read, in ms. Its sums cover all stored data: they are expensive and change slowly. */
const STORAGE_MS = 60_000;

/** @param text part of the email address or of the name; "": all */
export const usersQuery = (client: ReelayClient, text: string) =>
  infiniteQueryOptions({
    queryKey: operatorKeys.usersWith(text),
    queryFn: ({ pageParam }) =>
      client.operator.users({ ...(text && { text }), ...(pageParam && { cursor: pageParam }), limit: 25 }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

export const queuesQuery = (client: ReelayClient) =>
  queryOptions({
    queryKey: operatorKeys.queues,
    queryFn: () => client.operator.queues(),
    refetchInterval: GAUGE_MS,
    staleTime: GAUGE_MS / 2,
  });

export const storageQuery = (client: ReelayClient) =>
  queryOptions({
    queryKey: operatorKeys.storage,
    queryFn: () => client.operator.storage(),
    refetchInterval: STORAGE_MS,
    staleTime: STORAGE_MS / 2,
  });

/** @param userId undefined: all users */
export const auditQuery = (client: ReelayClient, userId: string | undefined) =>
  infiniteQueryOptions({
    queryKey: operatorKeys.audit(userId ?? ''),
    queryFn: ({ pageParam }) =>
      client.operator.audit({ ...(userId && { userId }), ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });

/** @param change sends one change to the service; afterwards the users are refetched */
function useUserChange<Input>(change: (client: ReelayClient, input: Input) => Promise<unknown>) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<unknown, Error, Input>({
    mutationFn: (input) => change(client, input),
    onSettled: () => queries.invalidateQueries({ queryKey: operatorKeys.users }),
  });
}

export const useSetPlan = () =>
  useUserChange<{ id: string; plan: ManagedUser['plan'] }>((client, { id, plan }) => client.operator.setPlan(id, plan));

export const useSuspendUser = () => useUserChange<string>((client, id) => client.operator.suspend(id));

export const useResumeUser = () => useUserChange<string>((client, id) => client.operator.resume(id));

export function useDoctor() {
  const client = useClient();
  return useMutation({ mutationFn: () => client.operator.runDoctor() });
}
