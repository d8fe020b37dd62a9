/** Accounts of a post with the same problem: what it is, what helps, and buttons. */
import { Alert, List, Stack, Text } from '@mantine/core';
import type { PostResult } from '@reelay/sdk';
import type { ReactNode } from 'react';
import { platformName } from '../../ui/platform-icon.tsx';

interface AccountGroupProps {
  /** A key of `theme.colors`. */
  color: string;
  icon: ReactNode;
  title: string;
  help: string;
  results: readonly PostResult[];
  /** The buttons, and why they did not work. */
  children: ReactNode;
}

export function AccountGroup({ color, icon, title, help, results, children }: AccountGroupProps) {
  return (
    <Alert color={color} icon={icon} title={title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{help}</Text>
        <List size="sm">
          {results.map(({ id, platform, username }) => (
            <List.Item key={id} translate="no">
              {platformName(platform)}: {username}
            </List.Item>
          ))}
        </List>
        {children}
      </Stack>
    </Alert>
  );
}
