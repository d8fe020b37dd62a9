import { Box, Center, Stack, Text } from '@mantine/core';
import { isValidElement, type ReactElement, type ReactNode } from 'react';
import type { Icon } from './icons/index.ts';
import { PageTitle } from './page-title.tsx';

interface EmptyStateProps {
  /** A picture of what will be here, or an icon. */
  image: ReactElement | Icon;
  title: string;
  /** Explanation or advice. */
  children?: ReactNode;
  action?: ReactNode;
  /** `alert` for failures, which screen readers announce. */
  role?: 'alert' | 'status';
  /** Whether this is the page's only heading. */
  isPage?: boolean;
}

/** Placeholder for an empty page or list. */
export function EmptyState({ image: Image, title, children, action, role, isPage = false }: EmptyStateProps) {
  return (
    <Stack align="center" ta="center" gap="xs" px="md" py="xl" mx="auto" maw={480} {...(role ? { role } : {})}>
      {isValidElement(Image) ? (
        <Box mb="xs">{Image}</Box>
      ) : (
        <Center
          w={72}
          h={72}
          bg="var(--mantine-primary-color-light)"
          c="var(--mantine-primary-color-light-color)"
          style={{ borderRadius: '50%' }}
        >
          <Image size={34} strokeWidth={1.5} aria-hidden />
        </Center>
      )}
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
