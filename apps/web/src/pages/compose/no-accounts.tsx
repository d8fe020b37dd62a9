import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { signInOptionsQuery } from '../../queries/session.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';

const TryIt = lazyPart(async () => (await import('./try-it.tsx')).TryIt);

export function NoAccounts() {
  const t = useTranslations('compose');
  const { data: options, isPending } = useQuery(signInOptionsQuery(useClient()));
  if (isPending) return null;
  if (options?.sandbox) return <TryIt />;
  return (
    <Stack align="flex-start">
      <Text>{t('noAccounts')}</Text>
      <Button component={Link} to="/accounts">
        {t('connectAccounts')}
      </Button>
    </Stack>
  );
}
