/** What a page shows while it loads, when it fails, and when there is none. */
import { Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { ReelayApiError } from '@reelay/sdk';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';

export function RoutePending() {
  const t = useTranslations('states');
  return (
    <Center mih="40vh">
      <Loader aria-label={t('loading')} />
    </Center>
  );
}

/** Says what went wrong in the service's words. A session that ended leads to the sign-in page. */
export function RouteFailure({ error }: ErrorComponentProps) {
  const t = useTranslations('states');
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const message = error instanceof Error ? error.message : String(error);
  const isSignedOut = error instanceof ReelayApiError && error.code === 'unauthorized';
  useEffect(() => {
    reset();
    if (isSignedOut) void router.navigate({ to: '/sign-in', search: { to: router.state.location.href } });
  }, [isSignedOut, router, reset]);
  const isOffline = error instanceof ReelayApiError && error.status === 0;
  return (
    <Stack align="center" mt="xl" role="alert">
      <Title order={2}>{isOffline ? t('offline') : t('failed')}</Title>
      <Text>{isOffline ? t('offlineHint') : message}</Text>
      <Button onClick={() => void router.invalidate()}>{t('retry')}</Button>
    </Stack>
  );
}

export function NotFound() {
  const t = useTranslations('states');
  return (
    <Stack align="center" mt="xl">
      <Title order={2}>{t('notFound')}</Title>
      <Button component={Link} to="/">
        {t('home')}
      </Button>
    </Stack>
  );
}
