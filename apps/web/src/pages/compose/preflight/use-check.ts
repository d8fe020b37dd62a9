/** What would happen on each account, asked from the service while the user composes. */
import type { NewPost, PostCheck } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { type Draft, MAX_ACCOUNTS, scheduledAt } from '../../../service/draft.ts';
import { useClient } from '../../../service/service-client.ts';

/**
 * A video that is cropped or padded is not checked, because the service would convert it for every check.
 * @param draft already debounced, with the accounts that exist
 */
export function useCheck(draft: Draft, options: NonNullable<NewPost['options']>, isEnabled: boolean) {
  const client = useClient();
  const { upload, accounts, description, previewTime, fit } = draft;
  const at = scheduledAt(draft);
  return useQuery<PostCheck, Error>({
    queryKey: ['check', upload?.id, accounts, description, options, at, previewTime],
    queryFn: ({ signal }) =>
      client.posts.check({
        uploadId: upload?.id ?? '',
        platforms: accounts,
        description,
        previewTime,
        options,
        ...(at === null ? {} : { scheduled: at }),
        signal,
      }),
    enabled: isEnabled && upload !== null && fit === null && accounts.length > 0 && accounts.length <= MAX_ACCOUNTS,
    // What was said about another video does not hold.
    placeholderData: (before, query) => (query?.queryKey[1] === upload?.id ? before : undefined),
    retry: false,
  });
}
