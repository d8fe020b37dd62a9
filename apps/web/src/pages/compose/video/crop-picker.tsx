/** Moves the frame over a picture of a video that is cropped. */
import { Box, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type CSSProperties, useEffect, useId, useRef } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { drawFrames, SETTLED_MS } from './draw-frames.ts';
import classes from './video.module.css';
import type { VideoFacts } from './video-check.ts';

interface CropPickerProps {
  /** URL of the video. */
  url: string;
  size: Pick<VideoFacts, 'width' | 'height'>;
  /** Position of the picture in the video, in seconds. */
  at: number;
  /** As `cropPosition` of a draft. */
  value: number;
  onChange(position: number): void;
}

const SHAPE = 9 / 16;
/** Of the picture, in px of the longer side. */
const PIXELS = 480;

export function CropPicker({ url, size: { width, height }, at, value, onChange }: CropPickerProps) {
  const t = useTranslations('composeVideo');
  const format = useFormatter();
  const labelId = useId();
  const picture = useRef<HTMLCanvasElement>(null);
  const [settled] = useDebouncedValue(at, SETTLED_MS);
  useEffect(() => {
    if (!picture.current) return;
    const controller = new AbortController();
    void drawFrames(url, [picture.current], [settled], controller.signal);
    return () => controller.abort();
  }, [url, settled]);
  const isWide = width / height > SHAPE;
  // Part of the longer side that the frame takes.
  const part = isWide ? (height * SHAPE) / width : width / SHAPE / height;
  const scale = PIXELS / Math.max(width, height);
  const style = { '--part': part, '--shape': width / height } as CSSProperties;
  return (
    <Box className={classes.picker}>
      <Text id={labelId} size="sm" fw={500} mb={4}>
        {t('cropFrame')}
      </Text>
      <div className={classes.crop} style={style} data-wide={isWide || undefined}>
        <canvas
          ref={picture}
          className={classes.picture}
          width={Math.round(width * scale)}
          height={Math.round(height * scale)}
          aria-hidden
        />
        <input
          type="range"
          className={classes.window}
          min={0}
          max={1}
          step={0.01}
          value={value}
          aria-labelledby={labelId}
          aria-valuetext={format.number(value, { style: 'percent' })}
          onChange={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
        />
      </div>
      <Text size="sm" c="dimmed" mt={4}>
        {t(isWide ? 'cropHint.wide' : 'cropHint.high')}
      </Text>
    </Box>
  );
}
