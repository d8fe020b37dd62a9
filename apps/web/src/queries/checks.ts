/** Checks of a post before it is created. */
import type { CaptionCount, NewPost, PostCheck, ReelayClient } from '@reelay/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

/** Separate from the keys of posts, because no event changes the result of a check. */
export const checkKeys = {
  captions: (post: CaptionsToCount) => ['captions', post.platforms, post.description, post.options],
  post: ({ uploadId, platforms, description, options, scheduled, previewTime }: PostToCheck) =>
    ['check', uploadId, platforms, description, options, scheduled, previewTime] as const,
} as const;

export type CaptionsToCount = Required<Pick<NewPost, 'platforms' | 'description' | 'options'>>;

/**
 * The length of each account's caption, as its platform counts it.
 * @param maxAccounts maximum accounts per request
 */
export const captionCountsQuery = (client: ReelayClient, post: CaptionsToCount, maxAccounts: number) =>
  queryOptions({
    queryKey: checkKeys.captions(post),
    queryFn: async ({ signal }): Promise<CaptionCount[]> => {
      const { platforms, description, options } = post;
      const starts = platforms.flatMap((_, at) => (at % maxAccounts === 0 ? [at] : []));
      const counts = starts.map((from) => {
        const ids = platforms.slice(from, from + maxAccounts);
        const own = Object.fromEntries(Object.entries(options).filter(([id]) => ids.includes(id)));
        return client.posts.countCaptions({ platforms: ids, description, options: own }, { signal });
      });
      return (await Promise.all(counts)).flat();
    },
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });

/** `scheduled` in ms since the epoch; null: now. An upload is needed. */
export interface PostToCheck extends Required<Pick<NewPost, 'platforms' | 'description' | 'options' | 'previewTime'>> {
  uploadId: string;
  scheduled: number | null;
}

/** The expected result on each account. */
export const postCheckQuery = (client: ReelayClient, post: PostToCheck) =>
  queryOptions<PostCheck, Error, PostCheck, ReturnType<typeof checkKeys.post>>({
    queryKey: checkKeys.post(post),
    queryFn: ({ signal }) => {
      const { scheduled, ...others } = post;
      return client.posts.check({ ...others, ...(scheduled === null ? {} : { scheduled }), signal });
    },
    // The result of another video is not kept.
    placeholderData: (before, query) => (query?.queryKey[1] === post.uploadId ? before : undefined),
    retry: false,
  });
