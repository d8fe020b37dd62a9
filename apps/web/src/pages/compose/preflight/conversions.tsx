/** What Reelay converts by itself: one line, with the reasons on request. */
import { Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { platformName } from '../../../ui/platform-icon.tsx';
import type { Verdict } from './repairs.ts';

export function Conversions({ converted }: { converted: readonly Verdict[] }) {
  const t = useTranslations('preflight');
  const format = useFormatter();
  const platforms = [...new Set(converted.map(({ platform }) => platformName(platform)))];
  return (
    <Stack gap={4}>
      <Text size="sm">{t('conversions', { platforms: format.list(platforms) })}</Text>
      <details>
        <Text size="sm" c="dimmed" component="summary">
          {t('details')}
        </Text>
        <Stack gap={4} mt={4} style={{ overflowWrap: 'anywhere' }}>
          {converted.map(({ platformId, platform, username, reasons }) => (
            <Text key={platformId} size="sm" c="dimmed">
              <span translate="no">
                {platformName(platform)} ({username})
              </span>
              : {reasons.map(({ message }) => message).join(' ')}
            </Text>
          ))}
        </Stack>
      </details>
    </Stack>
  );
}
