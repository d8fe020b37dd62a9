/** Asks the service for the expected result on each account while the user composes. */
import type { NewPost } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { type Draft, isAdjusted, MAX_ACCOUNTS, scheduledAt } from '../../../drafts/draft.ts';
import { postCheckQuery } from '../../../queries/checks.ts';
import { useClient } from '../../../queries/client.ts';
import { timeProblem } from '../../../time/schedule-limits.ts';

/**
 * Skipped if the video is converted to 9:16 or trimmed, because the service would convert it for every check.
 * @param draft debounced by the caller, only with accounts that exist
 */
export function useCheck(draft: Draft, options: NonNullable<NewPost['options']>, isEnabled: boolean) {
  const client = useClient();
  const { upload, accounts: platforms, description, previewTime } = draft;
  const at = scheduledAt(draft);
  // The field of the time shows what is wrong with it.
  const scheduled = at !== null && timeProblem(at, Date.now()) === null ? at : null;
  return useQuery({
    ...postCheckQuery(client, { uploadId: upload?.id ?? '', platforms, description, options, scheduled, previewTime }),
    enabled:
      isEnabled && upload !== null && !isAdjusted(draft) && platforms.length > 0 && platforms.length <= MAX_ACCOUNTS,
  });
}
