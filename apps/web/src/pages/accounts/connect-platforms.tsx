/** A tile for each platform. Most open the platform's consent page; some ask for something first. */
import { Anchor, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ConnectablePlatform, CurrentUser } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { catalogQuery, useConnect } from '../../service/accounts.ts';
import { useClient } from '../../service/service-client.ts';
import { Failure } from '../../ui/failure.tsx';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import { AskOperator } from './ask-operator.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { fieldsOf } from './connect-fields.ts';

interface ConnectPlatformsProps {
  user: CurrentUser;
  onSetUp(platform: string): void;
}

export function ConnectPlatforms({ user, onSetUp }: ConnectPlatformsProps) {
  const t = useTranslations('accounts');
  const { data: platforms } = useSuspenseQuery(catalogQuery(useClient()));
  const connect = useConnect();
  const [asking, setAsking] = useState<ConnectablePlatform | null>(null);
  const choose = (entry: ConnectablePlatform) => {
    if (!entry.configured && user.operator) return onSetUp(entry.platform);
    if (!entry.configured || fieldsOf(entry).length > 0) return setAsking(entry);
    connect.mutate({ platform: entry.platform });
  };
  return (
    <Stack>
      <Group justify="space-between" align="baseline">
        <Title order={2} size="h4">
          {t('connect')}
        </Title>
        {user.operator && (
          <Anchor component={Link} to="/operator/platforms" size="sm">
            {t('allSetups')}
          </Anchor>
        )}
      </Group>
      <Failure error={connect.error} />
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
        {platforms.map((entry) => (
          <Button
            key={entry.platform}
            variant="default"
            h={96}
            px="xs"
            loading={connect.isPending && connect.variables.platform === entry.platform}
            onClick={() => choose(entry)}
          >
            <Stack align="center" gap={4}>
              <PlatformIcon platform={entry.platform} size={28} />
              <Text size="sm" fw={600}>
                {entry.name}
              </Text>
              {!entry.configured && (
                <Text size="xs" c="dimmed">
                  {user.operator ? t('setUp') : t('notSetUp')}
                </Text>
              )}
            </Stack>
          </Button>
        ))}
      </SimpleGrid>
      {asking?.configured && <ConnectDialog entry={asking} account={null} onClose={() => setAsking(null)} />}
      {asking && !asking.configured && (
        <AskOperator platform={asking.name} contact={user.operatorContact} onClose={() => setAsking(null)} />
      )}
    </Stack>
  );
}
