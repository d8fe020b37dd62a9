/** The length of each account's caption, as its platform counts it. */
import type { CaptionCount } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { MAX_ACCOUNTS } from '../../../drafts/draft.ts';
import { type CaptionsToCount, captionCountsQuery } from '../../../queries/checks.ts';
import { useClient } from '../../../queries/client.ts';

export interface CaptionCounts {
  byAccount: ReadonlyMap<string, CaptionCount>;
  error: Error | null;
}

/** @param post already debounced */
export function useCaptionCounts(post: CaptionsToCount): CaptionCounts {
  const client = useClient();
  const { data, error } = useQuery({
    ...captionCountsQuery(client, post, MAX_ACCOUNTS),
    enabled: post.platforms.length > 0,
  });
  return { byAccount: new Map(data?.map((count) => [count.id, count])), error };
}
