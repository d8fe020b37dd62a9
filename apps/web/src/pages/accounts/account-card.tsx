import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { useFormatter, useTranslations } from 'use-intl';
import { accountName } from '../../ui/account-name.tsx';
import { platformName } from '../../ui/platform-icon.tsx';
import { accessState } from './access.ts';
import { AccountHead } from './account-head.tsx';

interface AccountCardProps {
  account: Platform;
  onOpen(): void;
  onReconnect(): void;
}

/** The summary of an account: names, whether it can post, and problems. */
export function AccountCard({ account, onOpen, onReconnect }: AccountCardProps) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  const { platform, detail, accessEndsAt, warnings } = account;
  return (
    <Paper
      withBorder
      p="md"
      component="article"
      aria-label={`${platformName(platform)}: ${accountName(account)}`}
      display="flex"
      style={{ flexDirection: 'column' }}
    >
      <Stack gap="xs" flex={1}>
        <AccountHead account={account} />
        {detail && <Text size="sm">{detail}</Text>}
        {accessEndsAt && (
          <Text size="sm" c="dimmed">
            {t('endsAt', { at: format.dateTime(new Date(accessEndsAt), { dateStyle: 'medium' }) })}
          </Text>
        )}
        {warnings.map(({ code, text }) => (
          <Text key={code} size="sm">
            {text}
          </Text>
        ))}
        <Group justify="flex-end" mt="auto">
          {accessState(account) !== 'works' && (
            <Button size="sm" onClick={onReconnect}>
              {t('reconnect')}
            </Button>
          )}
          <Button size="sm" variant="default" onClick={onOpen}>
            {t('details')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
