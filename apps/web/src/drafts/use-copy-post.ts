/** Creates a draft from an existing post. */
import { type Post, ReelayApiError } from '@reelay/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../queries/client.ts';
import { draftOf } from './draft.ts';
import { newKey } from './draft-store.ts';
import { readValues } from './read-values.ts';
import { useDraftStore } from './use-upload.tsx';

/**
 * Fills the compose page's draft with a post. Without the video, if that is no longer stored, and without the options of an
 * account whose form cannot be read.
 */
export function useCopyPost(post: Post, videoName: string) {
  const client = useClient();
  const queries = useQueryClient();
  const drafts = useDraftStore();
  return useMutation({
    mutationFn: async () => {
      const copy = await client.posts.copyVideo(post.id).catch((error: unknown) => {
        if (error instanceof ReelayApiError && error.code === 'video_gone') return null;
        throw error;
      });
      const upload = copy && { id: copy.uploadId, name: videoName, bytes: copy.bytes, lastModified: null };
      const values = await readValues(client, queries, post);
      const { upload: replaced } = drafts.get();
      drafts.change(draftOf(post, upload, values, newKey()));
      // If this fails, the upload expires after a day.
      if (replaced) void client.uploads.remove(replaced.id).catch(() => {});
    },
  });
}
