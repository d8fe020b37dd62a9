/** The API reference: what the service's OpenAPI document says, and forms to try it. */
import { Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { ApiProvider, useApi } from './api-context.tsx';
import { CallerProvider } from './caller.tsx';
import { Layout } from './layout.tsx';
import { OperationPage } from './operation-page.tsx';
import { groupsOf } from './operations.ts';
import { PageHeading } from './page-heading.tsx';
import { PlaceLink, PlaceProvider, usePlace } from './place.tsx';
import { StartPage } from './start-page.tsx';
import { useDocument } from './use-document.ts';

export function Reference() {
  const { document, error, retry } = useDocument();
  const api = useMemo(() => document && { document, groups: groupsOf(document) }, [document]);
  return (
    <PlaceProvider>
      <ApiProvider value={api}>
        <CallerProvider>
          <Layout isReady={api !== null}>
            {api && <CurrentPage />}
            {error && <Unreachable reason={error.message} onRetry={retry} />}
            {!api && !error && <Pending />}
          </Layout>
        </CallerProvider>
      </ApiProvider>
    </PlaceProvider>
  );
}

function CurrentPage() {
  const { name } = usePlace();
  const { groups } = useApi();
  if (name === '') return <StartPage />;
  const operation = groups.flatMap(({ operations }) => operations).find(({ operationId }) => operationId === name);
  return operation ? <OperationPage key={name} operation={operation} /> : <Unknown name={name} />;
}

function Pending() {
  const t = useTranslations('reference');
  return (
    <Center mih="40vh">
      <Loader aria-label={t('loading')} />
    </Center>
  );
}

function Unreachable({ reason, onRetry }: { reason: string; onRetry(): void }) {
  const t = useTranslations('reference');
  const states = useTranslations('states');
  return (
    <Stack align="center" mt="15vh" ta="center" role="alert">
      <Title order={1} size="h2">
        {t('unreachable')}
      </Title>
      <Text>{t('unreachableHint', { reason })}</Text>
      <Button onClick={onRetry}>{states('retry')}</Button>
    </Stack>
  );
}

function Unknown({ name }: { name: string }) {
  const t = useTranslations('reference');
  return (
    <Stack align="center" mt="15vh" ta="center">
      <PageHeading name={t('title')}>{t('unknown', { name })}</PageHeading>
      <Text>{t('unknownHint')}</Text>
      <Button component={PlaceLink} to="">
        {t('allOperations')}
      </Button>
    </Stack>
  );
}
