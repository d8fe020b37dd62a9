import { Alert, Modal } from '@mantine/core';
import type { Post } from '@reelay/sdk';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconVideoOff } from '../../ui/icons/index.ts';
import { mediaAddress } from '../../ui/media-address.ts';
import { PreviewProgress } from '../../ui/preview-progress.tsx';
import { videoUrl } from '../../ui/stored-video.ts';
import { usePreview } from '../../ui/use-preview.ts';
import classes from './video-dialog.module.css';

/** Plays the stored video of a post, or a small version if the browser cannot play the video. */
export function VideoDialog({ post, onClose }: { post: Pick<Post, 'id' | 'filename'>; onClose(): void }) {
  const t = useTranslations('post');
  const stored = { of: 'post', id: post.id } as const;
  const [failed, setFailed] = useState<'none' | 'video' | 'preview'>('none');
  const preview = usePreview(failed === 'video' ? stored : null);
  const url = failed === 'none' ? videoUrl(stored) : preview.url;
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
      {preview.making !== null && <PreviewProgress done={preview.making} />}
      {url === null && preview.making === null && (
        <Alert icon={<IconVideoOff aria-hidden />} color="yellow" role="alert">
          {t('videoMissing')}
        </Alert>
      )}
      {url !== null && (
        // biome-ignore lint/a11y/useMediaCaption: captions are part of the user's video, if it has any
        <video
          key={url}
          src={url}
          poster={mediaAddress(post.filename)}
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
