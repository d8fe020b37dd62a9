/** The length of each account's caption, as its platform counts it. */
import type { CaptionCount, NewPost } from '@reelay/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { MAX_ACCOUNTS } from '../../../service/draft.ts';
import { useClient } from '../../../service/service-client.ts';

export interface CaptionCounts {
  byAccount: ReadonlyMap<string, CaptionCount>;
  error: Error | null;
}

/** @param post already debounced */
export function useCaptionCounts(
  post: Required<Pick<NewPost, 'platforms' | 'description' | 'options'>>,
): CaptionCounts {
  const client = useClient();
  const { platforms, description, options } = post;
  const { data, error } = useQuery({
    queryKey: ['captions', platforms, description, options],
    queryFn: async ({ signal }) => {
      const starts = platforms.flatMap((_, at) => (at % MAX_ACCOUNTS === 0 ? [at] : []));
      const counts = starts.map((from) => {
        const ids = platforms.slice(from, from + MAX_ACCOUNTS);
        const own = Object.fromEntries(Object.entries(options).filter(([id]) => ids.includes(id)));
        return client.posts.countCaptions({ platforms: ids, description, options: own }, { signal });
      });
      return (await Promise.all(counts)).flat();
    },
    enabled: platforms.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  return { byAccount: new Map(data?.map((count) => [count.id, count])), error };
}
