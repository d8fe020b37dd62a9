import { Button, Group, Menu, Paper, Stack, Text, Title } from '@mantine/core';
import type { ConnectablePlatform, Platform } from '@reelay/sdk';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useConnectSandbox } from '../../queries/accounts.ts';
import { Failure } from '../../ui/failure.tsx';
import { LONG_LABEL } from '../../ui/long-label.ts';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import { accessState } from './access.ts';

interface SandboxOfferProps {
  accounts: readonly Platform[];
  platforms: readonly ConnectablePlatform[];
}

/** Offers an account on every simulated platform; if each has one, another account on one of them. */
export function SandboxOffer({ accounts, platforms }: SandboxOfferProps) {
  const t = useTranslations('accounts');
  const connect = useConnectSandbox();
  const usable = accounts.filter((account) => account.sandbox && accessState(account) !== 'ended');
  const hasAll = platforms.every(({ platform }) => usable.some((account) => account.platform === platform));
  return (
    <Paper withBorder p="md">
      <Stack align="flex-start">
        <Title order={2} size="h4">
          {t('try')}
        </Title>
        <Text>{t('tryHint')}</Text>
        <Failure error={connect.error} />
        <Group>
          {hasAll ? (
            <Menu>
              <Menu.Target>
                <Button styles={LONG_LABEL} loading={connect.isPending} variant="default">
                  {t('tryAgain')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown mah="min(440px, 60vh)" style={{ overflowY: 'auto' }}>
                {platforms.map(({ platform, name }) => (
                  <Menu.Item
                    key={platform}
                    leftSection={<PlatformIcon platform={platform} size={20} />}
                    onClick={() => connect.mutate(platform)}
                  >
                    {name}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          ) : (
            <Button
              styles={LONG_LABEL}
              loading={connect.isPending}
              onClick={() => connect.mutate(undefined)}
              variant={usable.length > 0 ? 'default' : 'filled'}
            >
              {t('tryButton')}
            </Button>
          )}
          {usable.length > 0 && (
            <Button component={Link} to="/" variant="subtle">
              {t('post')}
            </Button>
          )}
        </Group>
        <Text size="sm" role="status">
          {connect.data && t('tried', { names: connect.data.map(nameOf).join(', ') })}
        </Text>
      </Stack>
    </Paper>
  );
}

const nameOf = ({ username, displayName }: { username: string; displayName: string }) => username || displayName;
