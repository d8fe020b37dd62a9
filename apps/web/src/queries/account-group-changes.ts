/** Changes of account groups. A change ends when the list is read again. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { accountGroupKeys } from './keys.ts';

function useChange<Given>(
  change: (groups: ReturnType<typeof useClient>['accountGroups'], given: Given) => Promise<unknown>,
) {
  const { accountGroups } = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given: Given) => change(accountGroups, given),
    onSettled: () => queries.invalidateQueries({ queryKey: accountGroupKeys.all }),
  });
}

/** A group of the same name is replaced. */
export const useSaveGroup = () =>
  useChange((groups, given: { name: string; accounts: string[] }) => groups.save(given));

/** Another group of the new name is deleted. */
export const useRenameGroup = () =>
  useChange((groups, { id, name }: { id: string; name: string }) => groups.rename(id, name));

export const useDeleteGroup = () => useChange((groups, id: string) => groups.delete(id));
