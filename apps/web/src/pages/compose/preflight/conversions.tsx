/** What Reelay converts by itself: one line, with the reasons on request. */
import { Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { platformName } from '../../../ui/platform-icon.tsx';
import type { ChosenAccount } from '../options/chosen-accounts.ts';
import type { Verdict } from './repairs.ts';
import { verdictName } from './verdict-name.ts';

interface ConversionsProps {
  converted: readonly Verdict[];
  chosen: readonly ChosenAccount[];
}

export function Conversions({ converted, chosen }: ConversionsProps) {
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
          {converted.map((verdict) => (
            <Text key={verdict.platformId} size="sm" c="dimmed">
              <span translate="no">
                {platformName(verdict.platform)} ({verdictName(verdict, chosen)})
              </span>
              : {verdict.reasons.map(({ message }) => message).join(' ')}
            </Text>
          ))}
        </Stack>
      </details>
    </Stack>
  );
}
