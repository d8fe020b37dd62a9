/** Selects the cover with a slider over frames of the video. */
import { Box, Group, Text } from '@mantine/core';
import { useInViewport, useMergedRef } from '@mantine/hooks';
import { useEffect, useId, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { drawFrames, frameTimes } from './filmstrip.ts';
import { lastPosition, STEP } from './positions.ts';
import classes from './video.module.css';

interface CoverPickerProps {
  /** Object URL of the video. */
  url: string;
  /** Length of the video. */
  seconds: number;
  /** Position of the cover in seconds. */
  value: number;
  onChange(seconds: number): void;
}

const FRAMES = 8;
/** Size of a frame, in px. */
const FRAME_SIZE = { width: 72, height: 128 } as const;

export function CoverPicker({ url, seconds, value, onChange }: CoverPickerProps) {
  const t = useTranslations('composeVideo');
  const format = useFormatter();
  const labelId = useId();
  const hintId = useId();
  const strip = useRef<HTMLDivElement>(null);
  const { ref: viewport, inViewport } = useInViewport<HTMLDivElement>();
  const [wasSeen, setWasSeen] = useState(false);
  useEffect(() => {
    if (inViewport) setWasSeen(true);
  }, [inViewport]);
  useEffect(() => {
    if (!wasSeen || !strip.current) return;
    const controller = new AbortController();
    const canvases = [...strip.current.querySelectorAll('canvas')];
    void drawFrames(url, canvases, frameTimes(seconds, FRAMES), controller.signal);
    return () => controller.abort();
  }, [wasSeen, url, seconds]);
  const last = lastPosition(seconds);
  const shown = Math.min(value, last);
  const text = t('seconds', { value: format.number(shown, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) });
  return (
    <Box className={classes.picker}>
      <Group justify="space-between" mb={4}>
        <Text id={labelId} size="sm" fw={500}>
          {t('cover')}
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </Group>
      <div ref={useMergedRef(strip, viewport)} className={classes.strip}>
        {frameTimes(seconds, FRAMES).map((time) => (
          <canvas key={time} className={classes.frame} {...FRAME_SIZE} aria-hidden />
        ))}
        <input
          type="range"
          className={classes.range}
          min={0}
          max={last}
          step={STEP}
          value={shown}
          aria-labelledby={labelId}
          aria-describedby={hintId}
          aria-valuetext={text}
          onChange={({ currentTarget }) => onChange(Math.round(currentTarget.valueAsNumber * 10) / 10)}
        />
      </div>
      <Text id={hintId} size="sm" c="dimmed" mt={4}>
        {t('coverHint')}
      </Text>
    </Box>
  );
}
