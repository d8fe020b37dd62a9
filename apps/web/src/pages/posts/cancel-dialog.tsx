/** Asks what happens to a scheduled post that is canceled. */
import type { Post } from '@reelay/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useMoveToDrafts } from '../../drafts/use-move-to-drafts.ts';
import { useCancelPost } from '../../queries/posts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Moves the post to the drafts, which opens it on the compose page, or deletes it. */
export function CancelDialog({ post, onClose }: { post: Post; onClose(): void }) {
  const t = useTranslations('post');
  const navigate = useNavigate();
  const cancel = useCancelPost(post.id);
  const move = useMoveToDrafts(post, t('copyName'));
  const remove = async () => {
    await cancel.mutateAsync();
    await navigate({ to: '/posts' });
  };
  const moveAndOpen = async () => {
    const draftId = await move.mutateAsync();
    await navigate({ to: '/', state: { movedPost: { draftId, at: Date.now() } } });
  };
  return (
    <ConfirmDialog
      title={t('cancelTitle')}
      text={t('cancelText')}
      action={t('deletePost')}
      isPending={cancel.isPending}
      error={cancel.error ?? move.error}
      onConfirm={remove}
      onClose={onClose}
      instead={{ action: t('moveToDrafts'), isPending: move.isPending, onConfirm: moveAndOpen }}
    />
  );
}
