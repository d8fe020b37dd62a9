/** Selects the cover with a slider over frames of the video. */
import { Box, Group, Text } from '@mantine/core';
import { useId } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Filmstrip } from './filmstrip.tsx';
import { lastPosition, STEP, toStep } from './positions.ts';
import classes from './video.module.css';

interface CoverPickerProps {
  /** URL of the video. */
  url: string;
  /** Start of what is posted, in seconds. Default: 0. */
  start?: number;
  /** Length of what is posted. */
  seconds: number;
  /** Position of the cover in it, in seconds. */
  value: number;
  onChange(seconds: number): void;
}

export function CoverPicker({ url, start = 0, seconds, value, onChange }: CoverPickerProps) {
  const t = useTranslations('composeVideo');
  const format = useFormatter();
  const labelId = useId();
  const hintId = useId();
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
      <Filmstrip url={url} start={start} seconds={seconds}>
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
          onChange={({ currentTarget }) => onChange(toStep(currentTarget.valueAsNumber))}
        />
      </Filmstrip>
      <Text id={hintId} size="sm" c="dimmed" mt={4}>
        {t('coverHint')}
      </Text>
    </Box>
  );
}
