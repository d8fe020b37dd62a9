/** Posts: the history, one post while it is published, and new posts. */
import type { NewPost, Post, ReelayClient } from '@reelay/sdk';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './service-client.ts';

/** How often a post is read while something of it is pending, in ms. */
const POLL_MS = 1_000;

export const historyQuery = (client: ReelayClient) =>
  infiniteQueryOptions({
    queryKey: ['posts'],
    queryFn: ({ pageParam }) => client.posts.history(pageParam),
    initialPageParam: 1,
    getNextPageParam: (_last, pages) => {
      const shown = pages.reduce((count, { data }) => count + data.length, 0);
      return shown < (pages[0]?.total ?? 0) && pages.at(-1)?.data.length ? pages.length + 1 : undefined;
    },
  });

export const isPending = (post: Pick<Post, 'result'>) => post.result.some(({ status }) => status === 'PENDING');

export const postQuery = (client: ReelayClient, id: string) =>
  queryOptions({
    queryKey: ['posts', id],
    queryFn: () => client.posts.get(id),
    refetchInterval: ({ state }) => (state.data && isPending(state.data) ? POLL_MS : false),
  });

/** Creates a post. The caller keeps the idempotency key until it succeeds, so a repeated press never posts twice. */
export function useCreatePost() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (post: NewPost) => client.posts.create(post),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['posts'] }),
  });
}

export function useRetryPost(id: string) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (platforms: string[]) => client.posts.retry(id, { platforms }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['posts'] }),
  });
}

export function useCancelPost(id: string) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.posts.cancel(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['posts'] }),
  });
}
