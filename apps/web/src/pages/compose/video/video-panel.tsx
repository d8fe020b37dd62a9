/** The video of the post, or the question whether to use a shared one. */
import { Stack } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { hasSharedVideo } from '../../../drafts/share-target.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import type { ChosenVideoProps } from './chosen-video.tsx';
import { VideoField } from './video-field.tsx';

const LostVideo = lazyPart(async () => (await import('./lost-video.tsx')).LostVideo);
const SharedVideo = lazyPart(async () => (await import('./shared-video.tsx')).SharedVideo);

interface VideoPanelProps extends ChosenVideoProps {
  /** The service no longer has the uploaded video. */
  isLost: boolean;
}

export function VideoPanel({ isLost, ...chosen }: VideoPanelProps) {
  const isShared = useIsShared();
  return (
    <Stack>
      {isShared && <SharedVideo />}
      {isLost && <LostVideo />}
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
