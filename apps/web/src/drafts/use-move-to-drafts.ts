/** Turns a scheduled post into a draft. */
import type { Post } from '@reelay/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../queries/client.ts';
import { draftKeys, postKeys } from '../queries/keys.ts';
import { newKey } from './draft-store.ts';
import { readValues } from './read-values.ts';
import { keepDraft } from './save-draft.ts';
import { fieldsOf } from './stored-draft.ts';
import { useDraftStore } from './use-upload.tsx';

/**
 * Moves a post to the drafts, and opens it on the compose page. The present draft is kept on the service. While its video is being
 * uploaded, it stays open. Resolves to the id of the draft.
 */
export function useMoveToDrafts(post: Post, videoName: string) {
  const client = useClient();
  const queries = useQueryClient();
  const store = useDraftStore();
  // The same for every try, so that the post is moved once.
  const [draftId] = useState(newKey);
  return useMutation({
    mutationFn: async () => {
      await keepDraft(client, store);
      const values = Object.fromEntries(await readValues(client, queries, post));
      const moved = await client.drafts.moveFromPost(post.id, { draftId, videoName, values });
      if (!store.get().pending) store.change(fieldsOf(moved));
      return draftId;
    },
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: draftKeys.all }),
        // The post itself is not read again.
        queries.invalidateQueries({ queryKey: postKeys.all, refetchType: 'none' }),
      ]),
  });
}
