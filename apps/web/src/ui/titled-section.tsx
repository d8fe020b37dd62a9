import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a panel or form below its heading. */
export function TitledSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      {children}
    </Stack>
  );
}
