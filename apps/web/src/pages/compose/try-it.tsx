/** Prepares a first post with simulated accounts and a sample video. The visitor only presses Post. */
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useDraft, useDraftStore, useUpload } from '../../drafts/use-upload.tsx';
import { useConnectSandbox } from '../../queries/accounts.ts';
import { loadSample } from '../../queries/sandbox.ts';
import { Failure } from '../../ui/failure.tsx';
import { LONG_LABEL } from '../../ui/long-label.ts';

export function TryIt() {
  const t = useTranslations('compose');
  const connect = useConnectSandbox();
  const { upload, pending } = useDraft();
  const { change } = useDraftStore();
  const { job, manager } = useUpload();
  const prepare = async () => {
    const connected = await connect.mutateAsync(undefined);
    change(({ description }) => ({
      accounts: connected.map(({ id }) => id),
      description: description || t('try.caption'),
    }));
    if (job || upload || pending) return;
    manager.choose(await loadSample('sunrise'));
  };
  return (
    <Paper withBorder p="md">
      <Stack align="flex-start" gap="sm">
        <Title order={2} size="h4">
          {t('try.title')}
        </Title>
        <Text>{t('try.text')}</Text>
        <Failure error={connect.error} />
        <Group gap="sm">
          {/* Without the sample, the page still asks for a video. */}
          <Button styles={LONG_LABEL} loading={connect.isPending} onClick={() => void prepare().catch(() => {})}>
            {t('try.button')}
          </Button>
          <Button component={Link} to="/accounts" variant="default">
            {t('connectAccounts')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
