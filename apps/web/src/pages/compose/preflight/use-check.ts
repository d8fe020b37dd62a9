/** What would happen on each account, asked from the service while the user composes. */
import type { NewPost } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { type Draft, MAX_ACCOUNTS, scheduledAt } from '../../../drafts/draft.ts';
import { postCheckQuery } from '../../../queries/checks.ts';
import { useClient } from '../../../queries/client.ts';

/**
 * A video that is cropped or padded is not checked, because the service would convert it for every check.
 * @param draft already debounced, with the accounts that exist
 */
export function useCheck(draft: Draft, options: NonNullable<NewPost['options']>, isEnabled: boolean) {
  const client = useClient();
  const { upload, accounts: platforms, description, previewTime, fit } = draft;
  const scheduled = scheduledAt(draft);
  return useQuery({
    ...postCheckQuery(client, { uploadId: upload?.id ?? '', platforms, description, options, scheduled, previewTime }),
    enabled: isEnabled && upload !== null && fit === null && platforms.length > 0 && platforms.length <= MAX_ACCOUNTS,
  });
}
