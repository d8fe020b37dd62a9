import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

/** An earlier press created the post, but its response was lost. */
export function Reused({ onSubmitAnother }: { onSubmitAnother(): void }) {
  const t = useTranslations('compose');
  return (
    <Alert color="yellow" role="alert" title={t('reused.title')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('reused.text')}</Text>
        <Group gap="xs">
          <Button size="compact-md" component={Link} to="/posts">
            {t('reused.open')}
          </Button>
          <Button size="compact-md" variant="default" onClick={onSubmitAnother}>
            {t('reused.another')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
