import { Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

export function NoAccounts() {
  const t = useTranslations('compose');
  return (
    <Stack align="flex-start">
      <Text>{t('noAccounts')}</Text>
      <Button component={Link} to="/accounts">
        {t('connectAccounts')}
      </Button>
    </Stack>
  );
}
