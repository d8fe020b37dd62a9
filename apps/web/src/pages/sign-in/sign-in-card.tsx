import { Paper, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Brand } from '../../ui/brand.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import classes from './sign-in.module.css';
import { SignInArt } from './sign-in-art.tsx';

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
    <div className={classes.page}>
      <SignInArt />
      <div className={classes.form}>
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
      </div>
    </div>
  );
}
