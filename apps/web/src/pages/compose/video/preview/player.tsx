/** The video as it will be posted, with one button over it that plays and stops it. */
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Draft } from '../../../../drafts/draft.ts';
import { PlayButton } from '../../../../ui/play-button.tsx';
import { Backdrop } from './backdrop.tsx';
import classes from './preview.module.css';

/** A video and how it is shown. */
export interface ShownVideo {
  fit: Draft['fit'];
  /** As in `Draft`. */
  cropPosition: number;
  /** The part that is played, in seconds; null: to the end. */
  start: number;
  end: number | null;
  /** The position that is shown while it does not play, in seconds from the start of the video. */
  at: number;
}

export function Player({ url, shown: { fit, cropPosition, start, end, at } }: { url: string; shown: ShownVideo }) {
  const t = useTranslations('composeVideo');
  const video = useRef<HTMLVideoElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    video.current?.pause();
    if (video.current) video.current.currentTime = at;
  }, [at]);
  const toggle = () => {
    const { current } = video;
    if (!current) return;
    if (!current.paused) return current.pause();
    if (current.currentTime < start || isOver(current)) current.currentTime = start;
    // The browser may block autoplay.
    void current.play().catch(() => {});
  };
  const isOver = ({ currentTime }: HTMLVideoElement) => end !== null && currentTime >= end;
  const percent = `${100 * cropPosition}%`;
  return (
    <>
      {fit === 'blur' && <Backdrop video={video} />}
      {/* biome-ignore lint/a11y/useMediaCaption: captions are part of the user's video, if it has any */}
      <video
        ref={video}
        src={url}
        className={classes.media}
        style={{ objectFit: fit === 'crop' ? 'cover' : 'contain', objectPosition: `${percent} ${percent}` }}
        playsInline
        loop
        preload="auto"
        tabIndex={-1}
        aria-label={t('video')}
        onLoadedMetadata={({ currentTarget }) => {
          currentTarget.currentTime = at;
        }}
        onTimeUpdate={({ currentTarget }) => {
          if (!currentTarget.paused && isOver(currentTarget)) currentTarget.currentTime = start;
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
