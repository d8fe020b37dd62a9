/** Frames of a video side by side, under a control that chooses a position. */
import { useDebouncedValue, useInViewport, useMergedRef } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { drawFrames, frameTimes, SETTLED_MS } from './draw-frames.ts';
import classes from './video.module.css';

interface FilmstripProps {
  /** URL of the video. */
  url: string;
  /** The part whose frames are shown, in seconds. */
  start: number;
  seconds: number;
  /** Lies over the frames. */
  children: ReactNode;
}

const FRAMES = 8;
/** Size of a frame, in px. */
const FRAME_SIZE = { width: 72, height: 128 } as const;

export function Filmstrip({ url, start, seconds, children }: FilmstripProps) {
  const strip = useRef<HTMLDivElement>(null);
  const { ref: viewport, inViewport } = useInViewport<HTMLDivElement>();
  const [wasSeen, setWasSeen] = useState(false);
  const [from] = useDebouncedValue(start, SETTLED_MS);
  const [length] = useDebouncedValue(seconds, SETTLED_MS);
  useEffect(() => {
    if (inViewport) setWasSeen(true);
  }, [inViewport]);
  useEffect(() => {
    if (!wasSeen || !strip.current) return;
    const controller = new AbortController();
    const canvases = [...strip.current.querySelectorAll('canvas')];
    const times = frameTimes(length, FRAMES).map((time) => from + time);
    void drawFrames(url, canvases, times, controller.signal);
    return () => controller.abort();
  }, [wasSeen, url, from, length]);
  return (
    <div ref={useMergedRef(strip, viewport)} className={classes.strip}>
      {Array.from({ length: FRAMES }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: frames have no other identity
        <canvas key={index} className={classes.frame} {...FRAME_SIZE} aria-hidden />
      ))}
      {children}
    </div>
  );
}
