/** Adding a repost rule. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useZone } from '../time/use-zone.ts';
import { useClient } from './client.ts';
import { ruleKeys } from './keys.ts';

/** Adds a rule whose days and quiet hours are those of the user's time zone. */
export function useAddRule() {
  const client = useClient();
  const queries = useQueryClient();
  const zone = useZone().name;
  return useMutation({
    mutationFn: (rule: { from: string; to: string[] }) => {
      // A browser may have a zone that the service does not know.
      const options = Intl.supportedValuesOf('timeZone').includes(zone) ? { options: { zone } } : {};
      return client.rules.add({ ...rule, ...options });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ruleKeys.all }),
  });
}
