/** Posts that are being sent to the service. */
import type { NewPost, PostChange } from '@reelay/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { postMutationKeys } from '../queries/keys.ts';

/** Whether a post, or a change of one, with this upload is being sent. The page that sends it may have been left. */
export function isPosting(queries: QueryClient, uploadId: string): boolean {
  const sent = [postMutationKeys.create, postMutationKeys.edit].flatMap((mutationKey) =>
    queries.getMutationCache().findAll({ mutationKey, status: 'pending' }),
  );
  return sent.some(({ state }) => (state.variables as NewPost | PostChange | undefined)?.uploadId === uploadId);
}
