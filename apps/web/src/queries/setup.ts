/** The operator's applications at platforms. */
import type { ApplicationCheck, PlatformGuide, ReelayClient } from '@reelay/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { accountKeys, setupKeys } from './keys.ts';

export type SetupApplication = PlatformGuide['applications'][number];

/** The set-up instructions of a platform, and its current settings. */
export const platformSetupQuery = (client: ReelayClient, platform: string) =>
  queryOptions({
    queryKey: setupKeys.guide(platform),
    queryFn: () => client.operator.platformSetup(platform),
    staleTime: 0,
  });

/** The current settings of every platform. */
export const setupsQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: setupKeys.all, queryFn: () => client.platforms.setup(), staleTime: 0 });

export interface GivenApplication {
  clientId: string;
  clientSecret: string;
}

/** The result of a test, and whether the application was stored. */
export interface StoredCheck extends ApplicationCheck {
  isStored: boolean;
}

/** @param change afterwards all queries about applications are refetched, on success or failure */
function useApplicationChange<Input, Result>(change: (client: ReelayClient, input: Input) => Promise<Result>) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<Result, Error, Input>({
    mutationFn: (input) => change(client, input),
    onSettled: () =>
      Promise.all(
        [setupKeys.guides, setupKeys.all, accountKeys.catalog].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

/** Tests an application, and stores it unless the platform rejects it. @param input.isForced stores it even then */
export const useSaveApplication = (platform: string, name: string) =>
  useApplicationChange<GivenApplication & { isForced: boolean }, StoredCheck>(
    async (client, { isForced, ...application }) => {
      const check = await client.operator.checkApplication(platform, name, application);
      const isStored = isForced || check.verdict !== 'rejected';
      if (isStored) await client.platforms.setApplication(name, application);
      return { ...check, isStored };
    },
  );

export function useCheckApplication(platform: string, name: string) {
  const client = useClient();
  return useMutation({ mutationFn: () => client.operator.checkApplication(platform, name) });
}

export const useRemoveApplication = () =>
  useApplicationChange<string, void>((client, name) => client.platforms.removeApplication(name));

/** Tests the configured applications of all platforms. Takes several seconds. */
export function useCheckSetups() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.platforms.setup({ check: true }),
    onSuccess: (setups) => queries.setQueryData(setupsQuery(client).queryKey, setups),
  });
}
