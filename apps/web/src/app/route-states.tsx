/** What a route shows while it loads, when it fails, and when the address is unknown. */
import { Button, Center, Loader, Stack } from '@mantine/core';
import { ReelayApiError } from '@reelay/sdk';
import { useQueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { isSignedOut } from '../queries/signed-out.ts';
import { Brand } from '../ui/brand.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { failureKind } from '../ui/failure-kind.ts';
import { IconAlertTriangle, IconMapQuestion, IconWifiOff } from '../ui/icons/index.ts';
import { PENDING_PAGE } from '../ui/pending-page.ts';
import { askToSignIn } from './ask-to-sign-in.ts';

export function RoutePending() {
  const t = useTranslations('states');
  return (
    <Center mih="40vh" {...{ [PENDING_PAGE]: true }}>
      <Loader aria-label={t('loading')} />
    </Center>
  );
}

/** Shows the error in the service's words. If the session has ended, it opens the sign-in page. */
export function RouteFailure({ error }: ErrorComponentProps) {
  const t = useTranslations('states');
  const router = useRouter();
  const queries = useQueryClient();
  const { reset } = useQueryErrorResetBoundary();
  const message = error instanceof Error ? error.message : String(error);
  useEffect(() => {
    reset();
    if (isSignedOut(error)) askToSignIn(router, queries);
  }, [error, queries, router, reset]);
  if (error instanceof ReelayApiError && error.status === 404) return <NotFound />;
  const kind = failureKind(error);
  const again = () => (kind === 'unloaded' ? window.location.reload() : void router.invalidate());
  return (
    <EmptyState
      image={kind === 'offline' ? IconWifiOff : IconAlertTriangle}
      role="alert"
      isPage
      title={t(kind)}
      action={<Button onClick={again}>{kind === 'unloaded' ? t('reload') : t('retry')}</Button>}
    >
      {kind === 'failed' ? message : t(`${kind}Hint`)}
    </EmptyState>
  );
}

/** Like {@link RouteFailure}, for routes outside of the shell. */
export function FramelessFailure(props: ErrorComponentProps) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack align="center">
        <Brand />
        <RouteFailure {...props} />
      </Stack>
    </Center>
  );
}

export function NotFound() {
  const t = useTranslations('states');
  return (
    <EmptyState
      image={IconMapQuestion}
      isPage
      title={t('notFound')}
      action={
        <Button component={Link} to="/">
          {t('home')}
        </Button>
      }
    >
      {t('notFoundHint')}
    </EmptyState>
  );
}
