/** A tile for each platform. Most tiles open the platform's consent page; some ask for input first. */
import { Anchor, Group, SimpleGrid, Stack, Title } from '@mantine/core';
import type { ConnectablePlatform, CurrentUser } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { catalogQuery, useConnect } from '../../queries/accounts.ts';
import { useClient } from '../../queries/client.ts';
import { ConnectDialog } from '../../ui/connect/connect-dialog.tsx';
import { fieldsOf } from '../../ui/connect/connect-fields.ts';
import { Failure } from '../../ui/failure.tsx';
import { AskOperator } from './ask-operator.tsx';
import { PlatformTile } from './platform-tile.tsx';

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
      <SimpleGrid cols={{ base: 2, md: 3, lg: 4 }} spacing="sm">
        {platforms.map((entry) => (
          <PlatformTile
            key={entry.platform}
            entry={entry}
            isOperator={user.operator}
            isLoading={connect.isPending && connect.variables.platform === entry.platform}
            onChoose={() => choose(entry)}
          />
        ))}
      </SimpleGrid>
      {asking?.configured && <ConnectDialog entry={asking} account={null} onClose={() => setAsking(null)} />}
      {asking && !asking.configured && (
        <AskOperator platform={asking.name} contact={user.operatorContact} onClose={() => setAsking(null)} />
      )}
    </Stack>
  );
}
