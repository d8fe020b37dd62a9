/** Accounts of a post with the same problem: what it is, what helps, and buttons. */
import { Alert, Group, List, Stack, Text } from '@mantine/core';
import type { PostResult } from '@reelay/sdk';
import type { ReactNode } from 'react';
import { accountName } from '../../ui/account-name.tsx';
import { platformName } from '../../ui/platform-icon.tsx';

interface AccountGroupProps {
  /** A key of `theme.colors`. */
  color: string;
  icon: ReactNode;
  title: string;
  help: string;
  results: readonly PostResult[];
  /** What helps one of the accounts. */
  actionOf?(result: PostResult): ReactNode;
  /** The buttons, and why they did not work. */
  children: ReactNode;
}

export function AccountGroup({ color, icon, title, help, results, actionOf, children }: AccountGroupProps) {
  return (
    <Alert color={color} icon={icon} title={title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{help}</Text>
        <List size="sm">
          {results.map((result) => (
            <List.Item key={result.id}>
              <Group gap="xs">
                <span translate="no">
                  {platformName(result.platform)}: {accountName(result)}
                </span>
                {actionOf?.(result)}
              </Group>
            </List.Item>
          ))}
        </List>
        {children}
      </Stack>
    </Alert>
  );
}
