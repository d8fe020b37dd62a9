/** The actions on a whole post. */
import { Button, Group, Stack } from '@mantine/core';
import type { Post } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCopyPost } from '../../drafts/use-copy-post.ts';
import { useWorkspace } from '../../drafts/use-upload.tsx';
import { accountsQuery } from '../../queries/accounts.ts';
import { useClient } from '../../queries/client.ts';
import { isPending, useRemovePost } from '../../queries/posts.ts';
import { userQuery } from '../../queries/user.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { IconCopy, IconDeviceMobile, IconPencil, IconPlayerPlay, IconTrash, IconX } from '../../ui/icons/index.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { CancelDialog } from './cancel-dialog.tsx';

const VideoDialog = lazyPart(async () => (await import('./video-dialog.tsx')).VideoDialog, { isOverlay: true });

interface PostActionsProps {
  post: Post;
  isScheduled: boolean;
  /** Number of accounts that show the post. */
  posted: number;
}

export function PostActions({ post, isScheduled, posted }: PostActionsProps) {
  const t = useTranslations('post');
  const navigate = useNavigate();
  const { drafts, edits } = useWorkspace();
  const remove = useRemovePost(post.id);
  const isSimulated = useIsSimulated(post);
  const copy = useCopyPost(post, t('copyName'));
  const [dialog, setDialog] = useState<'video' | 'cancel' | 'remove' | 'copy' | null>(null);
  const close = () => setDialog(null);
  /** A copy to accounts that are still being tried may appear twice. */
  const pending = isScheduled ? 0 : post.result.filter(({ status }) => status === 'PENDING').length;
  const compose = async () => {
    await copy.mutateAsync();
    await navigate({ to: '/' });
  };
  /** Of the present draft. Only a finished upload is saved with it. */
  const isUploading = () => drafts.get().pending !== null;
  const copyOrAsk = () => {
    if (!isUploading() && pending === 0) void compose().catch(() => {});
    else setDialog('copy');
  };
  const removeAndLeave = async () => {
    await remove.mutateAsync();
    await navigate({ to: '/posts' });
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {isScheduled && (
          <Button
            component={Link}
            to={`/posts/${post.id}/edit` as '/posts/$id/edit'}
            variant="default"
            leftSection={<IconPencil size={16} aria-hidden />}
          >
            {edits.has(post.id) ? t('continueEdit') : t('edit')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => setDialog('video')}
        >
          {t('playVideo')}
        </Button>
        {isSimulated && (
          <Button
            component={Link}
            to="/sandbox"
            variant="default"
            leftSection={<IconDeviceMobile size={16} aria-hidden />}
          >
            {t('watch')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden />}
          loading={copy.isPending}
          onClick={copyOrAsk}
        >
          {t('copy')}
        </Button>
        {isScheduled && (
          <Button
            color="red"
            variant="light"
            leftSection={<IconX size={16} aria-hidden />}
            onClick={() => setDialog('cancel')}
          >
            {t('cancel')}
          </Button>
        )}
        {!isPending(post) && (
          <Button
            color="red"
            variant="light"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setDialog('remove')}
          >
            {t('remove')}
          </Button>
        )}
        <Button component={Link} to="/posts" variant="subtle">
          {t('all')}
        </Button>
      </Group>
      {dialog !== 'copy' && <Failure error={copy.error} />}
      {dialog === 'video' && <VideoDialog post={post} onClose={close} />}
      {dialog === 'cancel' && <CancelDialog post={post} onClose={close} />}
      {dialog === 'remove' && (
        <ConfirmDialog
          title={t('removeTitle')}
          text={t('removeText', { posted })}
          action={t('remove')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={removeAndLeave}
          onClose={close}
        />
      )}
      {dialog === 'copy' && (
        <ConfirmDialog
          title={pending > 0 ? t('twiceTitle') : t('replaceTitle')}
          text={[
            ...(pending > 0 ? [t('twiceText', { count: pending })] : []),
            ...(isUploading() ? [t('replaceText')] : []),
          ].join(' ')}
          action={isUploading() ? t('replace') : t('twice')}
          isPending={copy.isPending}
          error={copy.error}
          onConfirm={compose}
          onClose={close}
        />
      )}
    </Stack>
  );
}

/** Whether the simulated platforms show the post. */
function useIsSimulated({ result }: Post): boolean {
  const client = useClient();
  const { data: user } = useQuery(userQuery(client));
  const { data: accounts = [] } = useQuery(accountsQuery(client));
  const simulated = new Set(accounts.filter(({ sandbox }) => sandbox).map(({ id }) => id));
  return user?.operator === true && result.some(({ id }) => simulated.has(id));
}
