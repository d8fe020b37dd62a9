/** The accounts as cards to pick. */
import { Anchor, Badge, Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { AccountAvatar } from '../../ui/account-avatar.tsx';
import { platformName } from '../../ui/platform-icon.tsx';

interface AccountPickerProps {
  accounts: readonly Platform[];
  chosen: readonly string[];
  onChange(ids: string[]): void;
}

export function AccountPicker({ accounts, chosen, onChange }: AccountPickerProps) {
  const t = useTranslations('compose');
  const usable = accounts.filter(({ status }) => status === 'CONNECTED');
  if (accounts.length === 0)
    return (
      <Stack align="flex-start">
        <Text>{t('noAccounts')}</Text>
        <Button component={Link} to="/accounts">
          {t('connectAccounts')}
        </Button>
      </Stack>
    );
  const isAll = usable.length > 0 && usable.every(({ id }) => chosen.includes(id));
  return (
    <Checkbox.Group label={t('accounts')} value={[...chosen]} onChange={onChange}>
      <Group justify="flex-end">
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => onChange(isAll ? [] : usable.map(({ id }) => id))}
        >
          {isAll ? t('chooseNone') : t('chooseAll')}
        </Anchor>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="xs" mt="xs">
        {accounts.map(({ id, platform, username, displayName, usernameImage, status, sandbox }) => (
          <Checkbox.Card key={id} value={id} disabled={status !== 'CONNECTED'} p="sm" withBorder radius="md">
            <Group wrap="nowrap">
              <Checkbox.Indicator />
              <AccountAvatar platform={platform} image={usernameImage} name={displayName || username} />
              <Stack gap={0} miw={0}>
                <Text fw={600} truncate>
                  {displayName || username}
                </Text>
                <Text size="sm" c="dimmed" truncate>
                  {platformName(platform)}
                </Text>
                {sandbox && (
                  <Badge size="xs" variant="outline" color="gray">
                    {t('simulated')}
                  </Badge>
                )}
                {status !== 'CONNECTED' && (
                  <Text size="sm" c="red">
                    {t('reconnectFirst')}
                  </Text>
                )}
              </Stack>
            </Group>
          </Checkbox.Card>
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
