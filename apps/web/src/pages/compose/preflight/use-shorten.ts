/** Sets a shortened caption for one account, which its platform accepts. */
import type { NewPost } from '@reelay/sdk';
import { useMutation } from '@tanstack/react-query';
import { isTooLong } from '../../../drafts/draft.ts';
import { useClient } from '../../../queries/client.ts';
import { type ChosenAccount, sentOptions } from '../options/chosen-accounts.ts';
import { shorten } from './shorten.ts';

interface Shorten {
  each: ChosenAccount;
  description: string;
}

/** @param onShortened called with the account's caption */
export function useShorten(onShortened: (id: string, caption: string) => void) {
  const client = useClient();
  return useMutation<string | null, Error, Shorten>({
    mutationFn: ({ each, description }) => {
      const { id } = each.account;
      const own = sentOptions([each])[id];
      return shorten(each.options.caption ?? description, async (caption) => {
        if (isTooLong(caption)) return false;
        const options: NewPost['options'] = { [id]: { ...own, caption } };
        const [count] = await client.posts.countCaptions({ platforms: [id], options });
        return count !== undefined && count.problem === null && count.length <= count.limit;
      });
    },
    onSuccess: (caption, { each }) => {
      if (caption !== null) onShortened(each.account.id, caption);
    },
  });
}
