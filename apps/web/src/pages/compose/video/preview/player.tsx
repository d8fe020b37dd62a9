/** The video, with one button over it that plays and stops it. */
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Draft } from '../../../../drafts/draft.ts';
import { PlayButton } from '../../../../ui/play-button.tsx';
import classes from './preview.module.css';

interface PlayerProps {
  url: string;
  fit: Draft['fit'];
  /** Position of the cover in seconds. */
  cover: number;
}

export function Player({ url, fit, cover }: PlayerProps) {
  const t = useTranslations('composeVideo');
  const video = useRef<HTMLVideoElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    video.current?.pause();
    if (video.current) video.current.currentTime = cover;
  }, [cover]);
  const toggle = () => {
    if (!video.current) return;
    // The browser may block autoplay.
    if (video.current.paused) void video.current.play().catch(() => {});
    else video.current.pause();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: captions are part of the user's video, if it has any */}
      <video
        ref={video}
        src={url}
        className={classes.media}
        style={{ objectFit: fit === 'crop' ? 'cover' : 'contain' }}
        playsInline
        loop
        preload="auto"
        tabIndex={-1}
        aria-label={t('video')}
        onLoadedMetadata={({ currentTarget }) => {
          currentTarget.currentTime = cover;
        }}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
      />
      <PlayButton
        label={isPlaying ? t('stop') : t('play')}
        isPlaying={isPlaying}
        className={classes.play}
        onClick={toggle}
      />
    </>
  );
}
