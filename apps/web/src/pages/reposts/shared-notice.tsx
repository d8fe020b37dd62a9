/** Lists the destinations to which other rules repost as well. The same video appears there once. */
import { Group, Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { IconArrowsJoin2 } from '../../ui/icons/index.ts';
import { accountLabel } from './account-label.ts';
import type { SharedDestination } from './shared-destinations.ts';

/** Maximum number of sources that are named. */
const MAX_SOURCES = 3;

export function SharedNotice({ shared }: { shared: readonly SharedDestination[] }) {
  const t = useTranslations('reposts.shared');
  const format = useFormatter();
  if (shared.length === 0) return null;
  const namesOf = (sources: SharedDestination['sources']) => {
    const names = sources.slice(0, MAX_SOURCES).map(accountLabel);
    const count = sources.length - names.length;
    return format.list(count > 0 ? [...names, t('more', { count })] : names);
  };
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <IconArrowsJoin2 size={18} style={{ flex: 'none', marginTop: 1 }} aria-hidden />
      <Stack gap={2}>
        {shared.map(({ to, sources }) => (
          <Text key={to.id} size="sm">
            {t('also', { to: accountLabel(to), sources: namesOf(sources) })}
          </Text>
        ))}
        <Text size="sm" c="dimmed">
          {t('once')}
        </Text>
      </Stack>
    </Group>
  );
}
