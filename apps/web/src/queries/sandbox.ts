/** The simulated platforms. */
import type { PhonePost, ReelayClient, SandboxFault } from '@reelay/sdk';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { accountKeys, sandboxKeys } from './keys.ts';

const POLL_MS = 10_000;

export const sandboxQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: sandboxKeys.status, queryFn: () => client.sandbox.status() });

export interface SandboxFilter {
  platform?: string | undefined;
  /** User name on the platform. */
  username?: string | undefined;
}

export const sandboxPostsQuery = (client: ReelayClient, { platform, username }: SandboxFilter) =>
  infiniteQueryOptions({
    queryKey: sandboxKeys.postsOf(platform ?? '', username ?? ''),
    queryFn: ({ pageParam }) =>
      client.sandbox.posts({
        ...(platform && { platform }),
        ...(platform && username && { username }),
        ...(pageParam && { cursor: pageParam }),
        limit: 24,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval: POLL_MS,
  });

export function usePostFromPhone() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (post: PhonePost) => client.sandbox.postFromPhone(post),
    onSettled: () => queries.invalidateQueries({ queryKey: sandboxKeys.posts }),
  });
}

export function useSetFaults() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (faults: readonly SandboxFault[]) => client.sandbox.setFaults(faults),
    onSettled: () => queries.invalidateQueries({ queryKey: sandboxKeys.status }),
  });
}

export function useResetSandbox() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.sandbox.reset(),
    onSettled: () =>
      Promise.all([sandboxKeys.all, accountKeys.all].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

/** The sample videos that are part of the dashboard. */
export type SampleName = 'sunrise' | 'ocean';

/** @throws Error if the video cannot be loaded, such as without a connection */
export async function loadSample(name: SampleName): Promise<File> {
  const filename = `${name}.mp4`;
  const response = await fetch(`/app/samples/${filename}`);
  if (!response.ok) throw new Error(`${filename}: ${response.status}`);
  return new File([await response.blob()], filename, { type: 'video/mp4' });
}
