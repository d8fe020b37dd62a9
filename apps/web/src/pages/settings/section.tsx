/** A section of the settings: a heading and its content. */
import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  id: string;
  title: string;
  hint?: string;
  children: ReactNode;
}

export function Section({ id, title, hint, children }: SectionProps) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {hint && <Text>{hint}</Text>}
        {children}
      </Stack>
    </Paper>
  );
}
