import { Center, Paper, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Brand } from '../../ui/brand.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** The layout of the pages for visitors, with one form. */
export function SignInCard({
  title,
  onSubmit,
  children,
}: {
  title: string;
  onSubmit(): Promise<unknown>;
  children: ReactNode;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form shows the error.
    void onSubmit().catch(() => {});
  };
  return (
    <Center mih="100vh" p="md">
      <Stack align="center" w="100%" maw={420}>
        <Brand />
        <Paper component="main" withBorder p="xl" w="100%">
          <form onSubmit={submit}>
            <Stack>
              <PageTitle>{title}</PageTitle>
              {children}
            </Stack>
          </form>
        </Paper>
      </Stack>
    </Center>
  );
}
