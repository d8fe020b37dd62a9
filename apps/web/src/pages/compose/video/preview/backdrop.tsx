/** The blurred picture around a video with bars. */
import { type RefObject, useEffect, useRef } from 'react';
import { draw } from '../draw-frames.ts';
import classes from './preview.module.css';

/** In px. It is enlarged, which blurs it as well. */
const SIZE = { width: 36, height: 64 } as const;

/** Draws the frames of the video while it plays, and after each seek. */
export function Backdrop({ video }: { video: RefObject<HTMLVideoElement | null> }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const [source, target] = [video.current, canvas.current];
    if (!source || !target) return;
    let frame = 0;
    const paint = () => {
      if (source.videoWidth > 0) draw(source, target);
      cancelAnimationFrame(frame);
      if (!source.paused) frame = requestAnimationFrame(paint);
    };
    const events = ['loadeddata', 'seeked', 'play'] as const;
    for (const event of events) source.addEventListener(event, paint);
    paint();
    return () => {
      for (const event of events) source.removeEventListener(event, paint);
      cancelAnimationFrame(frame);
    };
  }, [video]);
  return <canvas ref={canvas} className={classes.backdrop} {...SIZE} aria-hidden />;
}
