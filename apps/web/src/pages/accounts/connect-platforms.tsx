/** A tile for each platform. Most open the platform's consent page; some ask for something first. */
import { Button, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ConnectablePlatform } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { catalogQuery, useConnect } from '../../service/accounts.ts';
import { useClient } from '../../service/service-client.ts';
import { Failure } from '../../ui/failure.tsx';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { fieldsOf } from './connect-fields.ts';

export function ConnectPlatforms() {
  const t = useTranslations('accounts');
  const { data: platforms } = useSuspenseQuery(catalogQuery(useClient()));
  const connect = useConnect();
  const [asking, setAsking] = useState<ConnectablePlatform | null>(null);
  const begin = async (entry: ConnectablePlatform) => {
    if (fieldsOf(entry).length > 0) return setAsking(entry);
    const { url } = await connect.mutateAsync({ platform: entry.platform });
    if (url) window.location.assign(url);
  };
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('connect')}
      </Title>
      <Failure error={connect.error} />
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
        {platforms.map((entry) => (
          <Button
            key={entry.platform}
            variant="default"
            h={96}
            disabled={!entry.configured}
            loading={connect.isPending && connect.variables.platform === entry.platform}
            onClick={() => void begin(entry).catch(() => {})}
          >
            <Stack align="center" gap={4}>
              <PlatformIcon platform={entry.platform} size={28} />
              <Text size="sm">{entry.name}</Text>
              {!entry.configured && <Text size="xs">{t('notSetUp')}</Text>}
            </Stack>
          </Button>
        ))}
      </SimpleGrid>
      {platforms.some(({ configured }) => !configured) && <Text size="sm">{t('notSetUpHint')}</Text>}
      {asking && <ConnectDialog entry={asking} account={null} onClose={() => setAsking(null)} />}
    </Stack>
  );
}
