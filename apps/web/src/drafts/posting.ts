/** Posts that are being sent to the service. */
import type { NewPost } from '@reelay/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { postMutationKeys } from '../queries/keys.ts';

/** Whether a post with this upload is being sent. The page that sends it may have been left. */
export function isPosting(queries: QueryClient, uploadId: string): boolean {
  return queries
    .getMutationCache()
    .findAll({ mutationKey: postMutationKeys.create, status: 'pending' })
    .some(({ state }) => (state.variables as NewPost | undefined)?.uploadId === uploadId);
}
