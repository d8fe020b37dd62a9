/** Small versions of stored videos that this browser cannot play. */
import type { Preview, ReelayClient } from '@reelay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { previewKeys } from './keys.ts';

/** While a preview is made, its progress is read again after this time, in ms. */
const EVERY_MS = 1_000;

/** Orders a preview, and follows it until it is made. */
export const previewQuery = (client: ReelayClient, of: 'upload' | 'post', id: string) =>
  queryOptions<Preview>({
    queryKey: previewKeys.one(of, id),
    queryFn: () => (of === 'upload' ? client.uploads : client.posts).orderPreview(id),
    refetchInterval: ({ state }) => (state.data?.state === 'making' ? EVERY_MS : false),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
