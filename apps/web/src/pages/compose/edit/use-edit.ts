/** State and actions of the page that changes a post. */
import type { Post } from '@reelay/sdk';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { type Draft, inputProblem } from '../../../drafts/draft.ts';
import { closeEdit } from '../../../drafts/post-edits.ts';
import { useWorkspace } from '../../../drafts/use-upload.tsx';
import { useEditPost } from '../../../queries/posts.ts';
import { useComposer, useRefusals } from '../use-composer.ts';
import { changedAccounts, postChange } from './post-change.ts';

/** @param opened the post when the change was begun */
export function useEdit(post: Post, opened: Draft) {
  const navigate = useNavigate();
  const router = useRouter();
  const workspace = useWorkspace();
  const composing = useComposer(opened.accounts);
  const { draft, current, video, options } = composing;
  const edit = useEditPost(post.id);
  const { isVideoLost, check, error } = useRefusals(composing, {
    error: edit.error,
    uploadId: edit.variables?.uploadId,
  });
  const { chosen } = options;
  const change = postChange({ post, opened, draft, chosen });
  const isChanged = Object.keys(change).length > 0 || draft.pending !== null;
  const leave = async (isSaved: boolean) => {
    await closeEdit(workspace, post.id, isSaved);
    // The user may have opened another page before the response arrived.
    if (router.state.location.pathname === `/posts/${post.id}/edit`)
      await navigate({ to: '/posts/$id', params: { id: post.id } });
  };
  const save = async () => {
    if (isChanged) await edit.mutateAsync(change);
    await leave(true);
  };
  return {
    composing,
    isVideoLost,
    check,
    /** Closes the change and opens the post. @param isSaved otherwise a new video is removed */
    leave,
    saving: {
      isChanged,
      /** The accounts whose options are sent because they were changed. */
      accounts: changedAccounts({ opened, chosen }),
      problem: video.blocker ?? (draft.pending ? ('uploading' as const) : inputProblem(current, Date.now())),
      isSending: edit.isPending,
      error,
      /** Failures are in `error`. */
      save: () => void save().catch(() => {}),
    },
  };
}
