import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { AccountAvatar } from '../../ui/account-avatar.tsx';
import { platformName } from '../../ui/platform-icon.tsx';
import { accessState } from './access.ts';

const BADGES = { works: 'green', notRenewed: 'orange', ended: 'red' } as const;

/** Picture, names and state of an account. */
export function AccountHead({ account }: { account: Platform }) {
  const t = useTranslations('accounts');
  const { platform, username, displayName, usernameImage, status, sandbox } = account;
  const access = accessState(account);
  return (
    <>
      <Group wrap="nowrap">
        <AccountAvatar platform={platform} image={usernameImage} name={displayName || username} />
        <Stack gap={0} flex={1} miw={0}>
          <Text fw={600} truncate translate="no">
            {displayName || username}
          </Text>
          <Text size="sm" c="dimmed" truncate translate="no">
            {platformName(platform)} · {username}
          </Text>
        </Stack>
      </Group>
      <Group gap="xs">
        <Badge variant="light" color={BADGES[access]}>
          {access === 'notRenewed' ? t('notRenewed') : t(`status.${status}`)}
        </Badge>
        {sandbox && (
          <Badge variant="outline" color="gray">
            {t('simulated')}
          </Badge>
        )}
      </Group>
    </>
  );
}
