/** Selects the part of the video that is posted, with two sliders over its frames. */
import { Box, Button, Group, Text } from '@mantine/core';
import { useId } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Filmstrip } from './filmstrip.tsx';
import { moveEnd, moveStart, type Part } from './part.ts';
import { STEP } from './positions.ts';
import classes from './video.module.css';

interface PartPickerProps {
  /** URL of the video. */
  url: string;
  /** Length of the video. */
  seconds: number;
  part: Part;
  /** @param shown the position that was moved, in seconds */
  onChange(part: Part, shown: number): void;
  /** Posts the whole video; absent: it is too long. */
  onReset?: (() => void) | undefined;
}

const TENTHS = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

export function PartPicker({ url, seconds, part, onChange, onReset }: PartPickerProps) {
  const t = useTranslations('composeVideo');
  const format = useFormatter();
  const labelId = useId();
  const { start, end } = part;
  const time = (value: number) => {
    const rest = format.number(value % 60, { ...TENTHS, minimumIntegerDigits: 2 });
    return `${Math.floor(value / 60)}:${rest}`;
  };
  // To the middle of the thumb.
  const wide = (value: number) => `calc((100% - var(--thumb)) * ${value / seconds} + var(--thumb) / 2)`;
  const edges = [
    { name: 'start', value: start, move: moveStart },
    { name: 'end', value: end, move: moveEnd },
  ] as const;
  return (
    <Box className={classes.picker} role="group" aria-labelledby={labelId}>
      <Group justify="space-between" mb={4}>
        <Text id={labelId} size="sm" fw={500}>
          {t('part')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('partTimes', { start: time(start), end: time(end), seconds: format.number(end - start, TENTHS) })}
        </Text>
      </Group>
      <Filmstrip url={url} start={0} seconds={seconds}>
        <div className={classes.cut} style={{ insetInlineStart: 0, width: wide(start) }} />
        <div className={classes.cut} style={{ insetInlineEnd: 0, width: wide(seconds - end) }} />
        {edges.map(({ name, value, move }) => (
          <input
            key={name}
            type="range"
            className={`${classes.range} ${classes.edge}`}
            min={0}
            max={seconds}
            step={STEP}
            value={value}
            aria-label={t(`partEdge.${name}`)}
            aria-valuetext={time(value)}
            onChange={({ currentTarget }) => {
              const moved = move(part, currentTarget.valueAsNumber, seconds);
              onChange(moved, moved[name]);
            }}
          />
        ))}
      </Filmstrip>
      <Group justify="space-between" mt={4} gap="xs">
        <Text size="sm" c="dimmed" flex="1 1 12rem">
          {t('partHint')}
        </Text>
        {onReset && (
          <Button size="compact-sm" variant="subtle" onClick={onReset}>
            {t('wholeVideo')}
          </Button>
        )}
      </Group>
    </Box>
  );
}
