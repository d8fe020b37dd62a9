import { Alert, Modal } from '@mantine/core';
import type { Post } from '@reelay/sdk';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconVideoOff } from '../../ui/icons/index.ts';
import { postedVideo } from '../../ui/stored-video.ts';
import classes from './video-dialog.module.css';

/** Plays the stored video of a post. */
export function VideoDialog({ post, onClose }: { post: Pick<Post, 'id' | 'filename'>; onClose(): void }) {
  const t = useTranslations('post');
  const [isMissing, setMissing] = useState(false);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('video')}
      size="auto"
      centered
      closeButtonProps={{ 'aria-label': t('closeVideo') }}
    >
      {isMissing ? (
        <Alert icon={<IconVideoOff aria-hidden />} color="yellow" role="alert">
          {t('videoMissing')}
        </Alert>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: captions are part of the user's video, if it has any
        <video
          src={postedVideo(post.id)}
          poster={`/api/v1/media/${post.filename}`}
          className={classes.video}
          aria-label={t('video')}
          controls
          autoPlay
          playsInline
          onError={() => setMissing(true)}
        />
      )}
    </Modal>
  );
}
