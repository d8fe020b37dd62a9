/** The length of each account's caption, as its platform counts it. */
import type { CaptionCount } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { isTooLong, MAX_ACCOUNTS } from '../../../drafts/draft.ts';
import { type CaptionsToCount, captionCountsQuery } from '../../../queries/checks.ts';
import { useClient } from '../../../queries/client.ts';

export interface CaptionCounts {
  byAccount: ReadonlyMap<string, CaptionCount>;
  error: Error | null;
}

const captionsOf = ({ description, options }: CaptionsToCount) => [
  description,
  ...Object.values(options).flatMap(({ caption }) => (typeof caption === 'string' ? [caption] : [])),
];

/** Texts that are too long for every platform are not counted. @param post debounced by the caller */
export function useCaptionCounts(post: CaptionsToCount): CaptionCounts {
  const client = useClient();
  const { data, error } = useQuery({
    ...captionCountsQuery(client, post, MAX_ACCOUNTS),
    enabled: post.platforms.length > 0 && !captionsOf(post).some(isTooLong),
  });
  return { byAccount: new Map(data?.map((count) => [count.id, count])), error };
}
