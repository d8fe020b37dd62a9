/** The signed-in user: settings, sessions, second factor, and deletion. */
import type { ReelayClient, UserSettings } from '@reelay/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { userKeys } from './keys.ts';

export const userQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: userKeys.all, queryFn: () => client.user.current(), staleTime: 60_000 });

export const sessionsQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: userKeys.sessions, queryFn: () => client.user.sessions() });

export const secondFactorQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: userKeys.secondFactor, queryFn: () => client.user.secondFactor() });

/** @param change sends one change to the service; afterwards the user is refetched */
function useUserChange<Input, Result>(change: (client: ReelayClient, input: Input) => Promise<Result>) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<Result, Error, Input>({
    mutationFn: (input) => change(client, input),
    onSettled: () => queries.invalidateQueries({ queryKey: userKeys.all }),
  });
}

/** Changes settings. Updates the cache optimistically, and refetches it if the service refuses. */
export function useEditUser() {
  const client = useClient();
  const queries = useQueryClient();
  const { queryKey } = userQuery(client);
  return useMutation({
    mutationFn: (settings: UserSettings) => client.user.edit(settings),
    async onMutate(settings) {
      await queries.cancelQueries({ queryKey, exact: true });
      queries.setQueryData(queryKey, (user) => user && { ...user, ...settings });
    },
    onSettled: () => queries.invalidateQueries({ queryKey, exact: true }),
  });
}

export const useEndSession = () => useUserChange((client, id: string) => client.user.endSession(id));

export const useEndOtherSessions = () => useUserChange((client, _: undefined) => client.user.endOtherSessions());

export const useBeginSecondFactor = () =>
  useUserChange((client, password: string) => client.user.beginSecondFactor(password));

export const useConfirmSecondFactor = () =>
  useUserChange((client, code: string) => client.user.confirmSecondFactor(code));

export const useDisableSecondFactor = () =>
  useUserChange((client, password: string) => client.user.disableSecondFactor(password));

export const useRenewBackupCodes = () =>
  useUserChange((client, password: string) => client.user.renewBackupCodes(password));

/** Deletes the user. The caller clears the user's data in the browser and leaves the page. */
export function useDeleteUser() {
  const client = useClient();
  return useMutation({ mutationFn: (password: string) => client.user.delete(password) });
}
