/** Repost rules and what they did. */
import type { ReelayClient } from '@reelay/sdk';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './service-client.ts';

export const rulesQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: ['rules'], queryFn: () => client.rules.list() });

/** Items that a rule saw, newest first. */
export const activityQuery = (client: ReelayClient, id: string) =>
  infiniteQueryOptions({
    queryKey: ['rules', id, 'activity'],
    queryFn: ({ pageParam }) => client.rules.activity(id, pageParam === '' ? {} : { cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

/** @param change sends one change to the service; afterwards all rules are read again */
function useRuleChange<Input>(change: (client: ReelayClient, input: Input) => Promise<unknown>) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<unknown, Error, Input>({
    mutationFn: (input) => change(client, input),
    onSettled: () => queries.invalidateQueries({ queryKey: ['rules'] }),
  });
}

export const useAddRule = () => useRuleChange<{ from: string; to: string[] }>((client, rule) => client.rules.add(rule));

export const useRemoveRule = () => useRuleChange<string>((client, id) => client.rules.remove(id));

export const usePauseRule = () =>
  useRuleChange<{ id: string; isPaused: boolean }>((client, { id, isPaused }) =>
    isPaused ? client.rules.pause(id) : client.rules.resume(id),
  );

/** Reposts a skipped item now. */
export const useRepostItem = (ruleId: string) =>
  useRuleChange<string>((client, itemId) => client.rules.repost(ruleId, itemId));
