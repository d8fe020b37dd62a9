import { Box, Center, Stack, Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PageTitle } from './page-title.tsx';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  /** What would be here, or what can be done. */
  children?: ReactNode;
  action?: ReactNode;
  /** For a failure, which is announced. */
  role?: 'alert' | 'status';
  /** The page has no other heading. */
  isPage?: boolean;
}

/** Stands where a page or list has nothing to show. */
export function EmptyState({ icon: Icon, title, children, action, role, isPage = false }: EmptyStateProps) {
  return (
    <Stack align="center" ta="center" gap="xs" px="md" py="xl" mx="auto" maw={480} {...(role ? { role } : {})}>
      <Center w={72} h={72} bg="var(--mantine-color-default-hover)" c="dimmed" style={{ borderRadius: '50%' }}>
        <Icon size={34} stroke={1.5} aria-hidden />
      </Center>
      {isPage ? (
        <PageTitle size="h4">{title}</PageTitle>
      ) : (
        <Text fw={600} size="lg">
          {title}
        </Text>
      )}
      {children && (
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
      )}
      {action && <Box mt="xs">{action}</Box>}
    </Stack>
  );
}
