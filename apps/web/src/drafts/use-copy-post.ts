/** Creates a draft from an existing post. */
import type { Post } from '@reelay/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../queries/client.ts';
import { draftKeys } from '../queries/keys.ts';
import { isRefused } from '../queries/refused.ts';
import { draftOf } from './draft.ts';
import { newKey } from './draft-store.ts';
import { readValues } from './read-values.ts';
import { keepDraft } from './save-draft.ts';
import { useDraftStore } from './use-upload.tsx';

/**
 * Saves the present draft on the service, and fills the compose page with a post. Without the video, if that is no longer
 * stored, and without the options of an account whose form cannot be read.
 */
export function useCopyPost(post: Post, videoName: string) {
  const client = useClient();
  const queries = useQueryClient();
  const drafts = useDraftStore();
  return useMutation({
    mutationFn: async () => {
      await keepDraft(client, drafts);
      const copy = await client.posts.copyVideo(post.id).catch((error: unknown) => {
        if (isRefused(error, 'video_gone')) return null;
        throw error;
      });
      const upload = copy && { id: copy.uploadId, name: videoName, bytes: copy.bytes, lastModified: null };
      const values = await readValues(client, queries, post);
      drafts.change(draftOf(post, upload, values, newKey()));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: draftKeys.all }),
  });
}
