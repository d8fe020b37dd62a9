/** The plan and how much of its limits is used. */
import { Group, Progress, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { userQuery } from '../../queries/user.ts';
import { Section } from './section.tsx';

export function Plan() {
  const t = useTranslations('settings');
  const format = useFormatter();
  const { data: user } = useSuspenseQuery(userQuery(useClient()));
  const megabytes = format.number(user.stored.bytes / 1e6, { maximumFractionDigits: 1 });
  return (
    <Section id="plan" title={t('plan', { name: user.plan })}>
      {user.limits.map(({ name, value, used, resetsAt }) => (
        <Stack key={name} gap={4}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">{t(`limit.${name}`)}</Text>
            <Text size="sm">{t('used', { used, value })}</Text>
          </Group>
          <Progress
            value={value === 0 ? 100 : Math.min((used / value) * 100, 100)}
            color={used >= value ? 'orange' : undefined}
            aria-label={t(`limit.${name}`)}
          />
          {resetsAt && (
            <Text size="sm" c="dimmed">
              {t('resets', { at: format.dateTime(new Date(resetsAt), { dateStyle: 'medium' }) })}
            </Text>
          )}
        </Stack>
      ))}
      <Text size="sm">{t('stored', { count: user.stored.videos, megabytes })}</Text>
    </Section>
  );
}
