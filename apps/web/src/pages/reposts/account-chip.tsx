import { Group, Stack, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { AccountAvatar } from '../../ui/account-avatar.tsx';
import { accountName } from '../../ui/account-name.tsx';
import { platformName } from '../../ui/platform-icon.tsx';

/** An account of a rule, with its platform. */
export function AccountChip({ account }: { account: Rule['from'] }) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <AccountAvatar platform={account.platform} image={account.usernameImage} name={accountName(account)} />
      <Stack gap={0} miw={0}>
        <Text fw={600} truncate translate="no">
          {accountName(account)}
        </Text>
        <Text size="sm" c="dimmed" truncate>
          {platformName(account.platform)}
        </Text>
      </Stack>
    </Group>
  );
}
