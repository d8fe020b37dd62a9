/** The API key: shown once after it is created. */
import { Alert, Anchor, Button, Code, CopyButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { keyQuery, useGenerateKey, useRevokeKey } from '../../queries/key.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Failure } from '../../ui/failure.tsx';

export function ApiKey() {
  const t = useTranslations('settings');
  const format = useFormatter();
  const { data: key } = useSuspenseQuery(keyQuery(useClient()));
  const generate = useGenerateKey();
  const revoke = useRevokeKey();
  const [asking, setAsking] = useState<'replace' | 'revoke' | null>(null);
  const isActive = key?.isActive ?? false;
  const moment = (at: string) => format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="api-key">
      <Stack>
        <Title order={2} size="h4" id="api-key">
          {t('key')}
        </Title>
        <Text>
          {t('keyHint')}{' '}
          <Anchor href="/docs" underline="always">
            {t('keyDocs')}
          </Anchor>
        </Text>
        {key && (
          <Text>
            <Code>{key.keyPrefix}…</Code> {isActive ? t('keyActive') : t('keyRevoked')},{' '}
            {t('keyCreated', { at: moment(key.createdAt) })},{' '}
            {key.lastUsedAt ? t('keyUsed', { at: moment(key.lastUsedAt) }) : t('keyUnused')}
          </Text>
        )}
        {generate.data && <NewKey value={generate.data} />}
        <Failure error={asking ? null : generate.error} />
        <Group>
          <Button
            variant={isActive ? 'default' : 'filled'}
            loading={generate.isPending}
            onClick={() => (isActive ? setAsking('replace') : generate.mutate())}
          >
            {isActive ? t('keyReplace') : t('keyCreate')}
          </Button>
          {isActive && (
            <Button variant="subtle" color="red" onClick={() => setAsking('revoke')}>
              {t('keyRevoke')}
            </Button>
          )}
        </Group>
      </Stack>
      {asking && (
        <ConfirmDialog
          title={asking === 'replace' ? t('keyReplaceTitle') : t('keyRevokeTitle')}
          text={t('keyLost')}
          action={asking === 'replace' ? t('keyReplace') : t('keyRevoke')}
          isPending={generate.isPending || revoke.isPending}
          error={asking === 'replace' ? generate.error : revoke.error}
          onConfirm={async () => {
            if (asking === 'replace') return generate.mutateAsync();
            generate.reset();
            return revoke.mutateAsync();
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </Paper>
  );
}

function NewKey({ value }: { value: string }) {
  const t = useTranslations('settings');
  const example = `curl ${window.location.origin}/api/v1/platform/platforms -H "Authorization: Bearer ${value}"`;
  return (
    <Alert color="green" title={t('keyNew')} role="status">
      <Stack gap="xs">
        <Group gap="sm">
          <Code data-testid="key" style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Code>
          <CopyButton value={value}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? t('copied') : t('copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
        <Text size="sm">{t('keyExample')}</Text>
        <Code block>{example}</Code>
      </Stack>
    </Alert>
  );
}
