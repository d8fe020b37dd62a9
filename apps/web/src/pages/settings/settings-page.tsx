/** The user's settings. */
import { Stack, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ApiKey } from './api-key.tsx';

export function SettingsPage() {
  const t = useTranslations('settings');
  return (
    <Stack maw={800}>
      <Title order={1} size="h2">
        {t('title')}
      </Title>
      <ApiKey />
    </Stack>
  );
}
