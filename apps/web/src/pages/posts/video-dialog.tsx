import { Alert, Modal } from '@mantine/core';
import type { Post } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { previewQuery } from '../../queries/previews.ts';
import { IconVideoOff } from '../../ui/icons/index.ts';
import { PreviewProgress } from '../../ui/preview-progress.tsx';
import { previewUrl, videoUrl } from '../../ui/stored-video.ts';
import classes from './video-dialog.module.css';

/** Plays the stored video of a post, or a small version if the browser cannot play the video. */
export function VideoDialog({ post, onClose }: { post: Pick<Post, 'id' | 'filename'>; onClose(): void }) {
  const t = useTranslations('post');
  const stored = { of: 'post', id: post.id } as const;
  const [failed, setFailed] = useState<'none' | 'video' | 'preview'>('none');
  const { data: preview, isPending } = useQuery({
    ...previewQuery(useClient(), 'post', post.id),
    enabled: failed !== 'none',
  });
  const isMade = preview?.state === 'stored';
  const url = failed === 'none' ? videoUrl(stored) : failed === 'video' && isMade ? previewUrl(stored) : null;
  const isMaking = failed === 'video' && (isPending || preview?.state === 'making');
  const fail = () => setFailed(failed === 'none' ? 'video' : 'preview');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('video')}
      size="auto"
      centered
      closeButtonProps={{ 'aria-label': t('closeVideo') }}
    >
      {isMaking && <PreviewProgress done={preview?.progress ?? 0} />}
      {url === null && !isMaking && (
        <Alert icon={<IconVideoOff aria-hidden />} color="yellow" role="alert">
          {t('videoMissing')}
        </Alert>
      )}
      {url !== null && (
        // biome-ignore lint/a11y/useMediaCaption: captions are part of the user's video, if it has any
        <video
          key={url}
          src={url}
          poster={`/api/v1/media/${post.filename}`}
          className={classes.video}
          aria-label={t('video')}
          controls
          autoPlay
          playsInline
          onError={fail}
          // A browser that knows only the format of the sound plays that.
          onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && fail()}
        />
      )}
    </Modal>
  );
}
