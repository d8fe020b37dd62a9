/** Queries and mutations of single posts. */
import type { NewPost, Post, PostChange, ReelayClient } from '@reelay/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { draftKeys, postKeys, postMutationKeys } from './keys.ts';

export const isPending = (post: Pick<Post, 'result'>) => post.result.some(({ status }) => status === 'PENDING');

/** Whether the post waits for its time. */
export const isAhead = (post: Pick<Post, 'result' | 'scheduled' | 'date'>) =>
  post.scheduled && new Date(post.date).getTime() > Date.now() && isPending(post);

export const postQuery = (client: ReelayClient, id: string) =>
  queryOptions({ queryKey: postKeys.one(id), queryFn: () => client.posts.get(id) });

/** Creates a post. The caller keeps the idempotency key until it succeeds, so a repeated press never posts twice. */
export function useCreatePost() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationKey: postMutationKeys.create,
    mutationFn: (post: NewPost) => client.posts.create(post),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: postKeys.all }),
        // The draft of the post was deleted.
        queries.invalidateQueries({ queryKey: draftKeys.all }),
      ]),
  });
}

/** @param change sends one change of a post to the service; its response is the changed post */
function usePostChange<Input>(
  id: string,
  change: (client: ReelayClient, input: Input) => Promise<Post>,
  mutationKey?: readonly string[],
) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<Post, Error, Input>({
    ...(mutationKey ? { mutationKey } : {}),
    mutationFn: (input) => change(client, input),
    onSuccess: (post) => void queries.setQueryData(postKeys.one(id), post),
    onSettled: () => queries.invalidateQueries({ queryKey: postKeys.all }),
  });
}

export const useRetryPost = (id: string) =>
  usePostChange<{ platforms: string[]; acceptDuplicate?: boolean }>(id, (client, retry) =>
    client.posts.retry(id, retry),
  );

/** Lets accounts in trouble be tried again now. */
export const useTryNow = (id: string) =>
  usePostChange<{ platforms: string[] }>(id, (client, chosen) => client.posts.tryNow(id, chosen));

/** Ends the attempts of accounts. */
export const useStopTrying = (id: string) =>
  usePostChange<{ platforms: string[] }>(id, (client, chosen) => client.posts.stop(id, chosen));

/** Changes a post that has not begun. */
export const useEditPost = (id: string) =>
  usePostChange<PostChange>(id, (client, edit) => client.posts.edit(id, edit), postMutationKeys.edit);

/** @param remove removes the post at the service */
function usePostRemoval(remove: (client: ReelayClient) => Promise<unknown>) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => remove(client),
    // The deleted post itself is not refetched.
    onSuccess: () => queries.invalidateQueries({ queryKey: postKeys.all, refetchType: 'none' }),
  });
}

export const useCancelPost = (id: string) => usePostRemoval((client) => client.posts.cancel(id));

export const useRemovePost = (id: string) => usePostRemoval((client) => client.posts.remove(id));
