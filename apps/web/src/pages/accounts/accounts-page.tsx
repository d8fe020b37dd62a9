/** The connected accounts, and connecting more. */
import { Badge, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { accountQuery, accountsQuery, catalogQuery, useConnectSandbox, useDisconnect } from '../../service/accounts.ts';
import { useClient } from '../../service/service-client.ts';
import { signInOptionsQuery } from '../../service/session.ts';
import { AccountAvatar } from '../../ui/account-avatar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { platformName } from '../../ui/platform-icon.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { ConnectPlatforms } from './connect-platforms.tsx';

export function AccountsPage() {
  const t = useTranslations('accounts');
  const client = useClient();
  const { data: accounts } = useSuspenseQuery({ ...accountsQuery(client), refetchInterval: 5_000 });
  const { data: options } = useSuspenseQuery(signInOptionsQuery(client));
  const { data: catalog } = useSuspenseQuery(catalogQuery(client));
  const [renewing, setRenewing] = useState<Platform | null>(null);
  const entry = catalog.find(({ platform }) => platform === renewing?.platform);
  const [leaving, setLeaving] = useState<Platform | null>(null);
  return (
    <Stack maw={1100}>
      <Title order={1} size="h2">
        {t('title')}
      </Title>
      {accounts.length === 0 ? (
        <Text>{t('empty')}</Text>
      ) : (
        <Text c="dimmed">{t('count', { count: accounts.length })}</Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {accounts.map((account) => (
          <AccountCard
            key={account.id}
            account={account}
            onReconnect={() => setRenewing(account)}
            onDisconnect={() => setLeaving(account)}
          />
        ))}
      </SimpleGrid>
      {options.sandbox && <SandboxOffer hasAccounts={accounts.some(({ sandbox }) => sandbox)} />}
      <ConnectPlatforms />
      {renewing && entry && <ConnectDialog entry={entry} account={renewing} onClose={() => setRenewing(null)} />}
      {leaving && <DisconnectDialog account={leaving} onClose={() => setLeaving(null)} />}
    </Stack>
  );
}

interface AccountCardProps {
  account: Platform;
  onReconnect(): void;
  onDisconnect(): void;
}

function AccountCard({ account, onReconnect, onDisconnect }: AccountCardProps) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  const { platform, username, displayName, usernameImage, status, sandbox, detail, accessEndsAt, warnings } = account;
  return (
    <Paper withBorder p="md" component="article" aria-label={`${platformName(platform)}: ${username}`}>
      <Stack gap="xs">
        <Group wrap="nowrap">
          <AccountAvatar platform={platform} image={usernameImage} name={displayName || username} />
          <Stack gap={0} flex={1} miw={0}>
            <Text fw={600} truncate>
              {displayName || username}
            </Text>
            <Text size="sm" c="dimmed" truncate>
              {platformName(platform)} · {username}
            </Text>
          </Stack>
        </Group>
        <Group gap="xs">
          <Badge variant="light" color={status === 'CONNECTED' ? 'green' : 'red'}>
            {t(`status.${status}`)}
          </Badge>
          {sandbox && (
            <Badge variant="outline" color="gray">
              {t('simulated')}
            </Badge>
          )}
        </Group>
        {detail && <Text size="sm">{detail}</Text>}
        {accessEndsAt && (
          <Text size="sm" c="dimmed">
            {t('endsAt', { at: format.dateTime(new Date(accessEndsAt), { dateStyle: 'medium' }) })}
          </Text>
        )}
        {warnings.map(({ code, text }) => (
          <Text key={code} size="sm" c="orange">
            {text}
          </Text>
        ))}
        <Group justify="flex-end">
          {status !== 'CONNECTED' && (
            <Button size="xs" onClick={onReconnect}>
              {t('reconnect')}
            </Button>
          )}
          <Button size="xs" variant="subtle" color="red" onClick={onDisconnect}>
            {t('disconnect')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function SandboxOffer({ hasAccounts }: { hasAccounts: boolean }) {
  const t = useTranslations('accounts');
  const connect = useConnectSandbox();
  return (
    <Paper withBorder p="md">
      <Stack align="flex-start">
        <Title order={2} size="h4">
          {t('try')}
        </Title>
        <Text>{t('tryHint')}</Text>
        <Failure error={connect.error} />
        <Group>
          <Button
            loading={connect.isPending}
            onClick={() => connect.mutate()}
            variant={hasAccounts ? 'default' : 'filled'}
          >
            {t('tryButton')}
          </Button>
          {hasAccounts && (
            <Button component={Link} to="/" variant="subtle">
              {t('post')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

function DisconnectDialog({ account, onClose }: { account: Platform; onClose(): void }) {
  const t = useTranslations('accounts');
  const disconnect = useDisconnect();
  const { data } = useQuery(accountQuery(useClient(), account.id));
  return (
    <ConfirmDialog
      title={t('disconnectTitle', { name: account.username })}
      text={data ? t('disconnectLost', data.disconnecting) : t('disconnectHint')}
      action={t('disconnect')}
      isPending={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => disconnect.mutateAsync(account.id)}
      onClose={onClose}
    />
  );
}
