/** The video of the post, or the question whether to use a shared one. */
import { Alert, Stack } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { hasSharedVideo } from '../../../drafts/share-target.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import type { ChosenVideoProps } from './chosen-video.tsx';
import { VideoField } from './video-field.tsx';

const SharedVideo = lazyPart(async () => (await import('./shared-video.tsx')).SharedVideo);

interface VideoPanelProps extends ChosenVideoProps {
  /** The service no longer has the uploaded video. */
  isLost: boolean;
}

export function VideoPanel({ isLost, ...chosen }: VideoPanelProps) {
  const t = useTranslations('composeVideo');
  const isShared = useIsShared();
  return (
    <Stack>
      {isShared && <SharedVideo />}
      {isLost && (
        <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert">
          {t('expired')}
        </Alert>
      )}
      <VideoField {...chosen} />
    </Stack>
  );
}

/** Whether another app shared a video, successfully or not. */
function useIsShared(): boolean {
  const { shared: outcome } = useSearch({ from: '/signed-in/' });
  const [isKept, setKept] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    void hasSharedVideo()
      .then((found) => isCurrent && setKept(found))
      .catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, []);
  return isKept || outcome === 'failed';
}
