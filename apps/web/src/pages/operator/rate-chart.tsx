/** Posts of the last hour as bars. The numbers are also texts for screen readers. */
import { Group, Paper, Text } from '@mantine/core';
import type { QueueStatus } from '@reelay/sdk';
import { useFormatter, useTranslations } from 'use-intl';
import classes from './operator.module.css';
import { barsOf } from './usage.ts';

export function RateChart({ intervals }: { intervals: QueueStatus['lastHour']['intervals'] }) {
  const t = useTranslations('operator.queue');
  const format = useFormatter();
  const time = (at: string) => format.dateTime(new Date(at), { timeStyle: 'short' });
  const first = intervals[0]?.at;
  const last = intervals.at(-1)?.at;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          {t('chart')}
        </Text>
        <Group gap="md">
          <Legend className={classes.posted} text={t('posted')} />
          <Legend className={classes.failed} text={t('failed')} />
        </Group>
      </Group>
      <ol className={classes.bars}>
        {barsOf(intervals).map(({ at, posted, failed, postedShare, failedShare }) => {
          const text = t('bar', { at: time(at), posted: String(posted), failed: String(failed) });
          return (
            <li key={at} title={text}>
              <span className={classes.hidden}>{text}</span>
              <span className={classes.failed} style={{ height: `${failedShare * 100}%` }} />
              <span className={classes.posted} style={{ height: `${postedShare * 100}%` }} />
            </li>
          );
        })}
      </ol>
      {first && last && (
        <Group justify="space-between" aria-hidden>
          <Text size="xs" c="dimmed">
            {time(first)}
          </Text>
          <Text size="xs" c="dimmed">
            {time(last)}
          </Text>
        </Group>
      )}
    </Paper>
  );
}

function Legend({ className, text }: { className: string | undefined; text: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <span className={`${classes.dot} ${className}`} />
      <Text size="sm">{text}</Text>
    </Group>
  );
}
