/** The timeline of one account, oldest first. Repeated steps are one line that can be expanded. */
import { Code, Text, Timeline } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import classes from './posts.module.css';
import { groupLines, type TimelineLine } from './progress.ts';

export function TargetTimeline({ timeline }: { timeline: readonly TimelineLine[] }) {
  const t = useTranslations('post');
  const groups = groupLines(timeline);
  return (
    <Timeline bulletSize={12} lineWidth={2} active={groups.length}>
      {groups.map((lines, index) => {
        const last = lines.at(-1);
        if (!last) return null;
        const hasDetails = lines.length > 1 || last.platformCode !== undefined;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only appended
          <Timeline.Item key={index}>
            <Text size="sm" className={classes.words}>
              {last.text}
            </Text>
            <Time at={last.at} />
            {hasDetails && (
              <details>
                <summary className={classes.summary}>{t('details', { count: lines.length })}</summary>
                {lines.map((line, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines are only appended
                  <div key={at} className={classes.detail}>
                    <Time at={line.at} />
                    <Text size="xs" className={classes.words}>
                      {line.text}
                    </Text>
                    {line.platformCode && (
                      <Text size="xs">
                        {t('platformCode')} <Code>{line.platformCode}</Code>
                      </Text>
                    )}
                  </div>
                ))}
              </details>
            )}
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

function Time({ at }: { at: string }) {
  const format = useFormatter();
  return (
    <Text size="xs" c="dimmed">
      <time dateTime={at}>{format.dateTime(new Date(at), { dateStyle: 'short', timeStyle: 'medium' })}</time>
    </Text>
  );
}
