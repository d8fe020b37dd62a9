/** Repost rules and their activity. */
import type { ReelayClient, Rule, RuleOptions } from '@reelay/sdk';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueries,
  useQueryClient,
} from '@tanstack/react-query';
import { accountQuery } from './accounts.ts';
import { useClient } from './client.ts';
import { ruleKeys } from './keys.ts';

export const rulesQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: ruleKeys.all, queryFn: () => client.rules.list() });

/** Items that a rule processed, newest first. */
export const activityQuery = (client: ReelayClient, id: string) =>
  infiniteQueryOptions({
    queryKey: ruleKeys.activity(id),
    queryFn: ({ pageParam }) => client.rules.activity(id, pageParam === '' ? {} : { cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

/** A dry run of a rule with changed options. @param text the caption of a post; "": that of the newest post */
export const previewQuery = (client: ReelayClient, id: string, options: RuleOptions, text: string) =>
  queryOptions({
    queryKey: ruleKeys.preview(id, options, text),
    queryFn: () => client.rules.preview(id, { options, ...(text === '' ? {} : { text }) }),
    placeholderData: keepPreviousData,
  });

/**
 * Older posts of the source, newest first, read from its platform. Platforms limit such reads, and X charges for them, so
 * changes of the rule do not refetch them.
 */
export const catalogQuery = (client: ReelayClient, id: string) =>
  infiniteQueryOptions({
    queryKey: ruleKeys.catalog(id),
    queryFn: ({ pageParam }) => client.rules.catalog(id, pageParam === '' ? {} : { cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** The destinations whose privacy can be set, with the possible values. */
export function usePrivacyChoices(destinations: Rule['to']) {
  const client = useClient();
  return useQueries({
    queries: destinations.map(({ id }) => accountQuery(client, id)),
    combine: (results) => ({
      isPending: results.some(({ isPending }) => isPending),
      error: results.find(({ error }) => error)?.error ?? null,
      choices: results.flatMap(({ data }) => {
        const choice = data?.choices.find(({ name }) => name === 'privacy');
        return data && choice && choice.values.length > 0 ? [{ account: data, choice }] : [];
      }),
    }),
  });
}

/** @param change sends one change to the service; afterwards all rules are refetched */
function useRuleChange<Input>(
  change: (client: ReelayClient, input: Input) => Promise<unknown>,
  onSuccess: () => void = () => {},
) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<unknown, Error, Input>({
    mutationFn: (input) => change(client, input),
    onSuccess,
    onSettled: () => queries.invalidateQueries({ queryKey: ruleKeys.all }),
  });
}

/** Changes options; null resets one. */
export const useEditRule = (id: string) =>
  useRuleChange<RuleOptions>((client, options) => client.rules.edit(id, options));

/** Changes the selection of older posts, and refetches their states, without waiting for the platform. */
export function useEditCatalog(id: string) {
  const queries = useQueryClient();
  return useRuleChange<RuleOptions>(
    (client, options) => client.rules.edit(id, options),
    () => void queries.invalidateQueries({ queryKey: ruleKeys.catalog(id) }),
  );
}

export const useRemoveRule = () => useRuleChange<string>((client, id) => client.rules.remove(id));

export const usePauseRule = () =>
  useRuleChange<{ id: string; isPaused: boolean; between?: 'skip' | 'keep' }>((client, { id, isPaused, between }) =>
    isPaused ? client.rules.pause(id, between ? { between } : {}) : client.rules.resume(id),
  );

export const useRepostItem = (ruleId: string) =>
  useRuleChange<string>((client, itemId) => client.rules.repost(ruleId, itemId));
