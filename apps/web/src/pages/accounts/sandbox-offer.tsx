import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useConnectSandbox } from '../../queries/accounts.ts';
import { Failure } from '../../ui/failure.tsx';
import { LONG_LABEL } from '../../ui/long-label.ts';

/** Offers an account on every simulated platform. */
export function SandboxOffer({ hasAccounts }: { hasAccounts: boolean }) {
  const t = useTranslations('accounts');
  const connect = useConnectSandbox();
  return (
    <Paper withBorder p="md">
      <Stack align="flex-start">
        <Title order={2} size="h4">
          {t('try')}
        </Title>
        <Text>{t('tryHint')}</Text>
        <Failure error={connect.error} />
        <Group>
          <Button
            styles={LONG_LABEL}
            loading={connect.isPending}
            onClick={() => connect.mutate()}
            variant={hasAccounts ? 'default' : 'filled'}
          >
            {t('tryButton')}
          </Button>
          {hasAccounts && (
            <Button component={Link} to="/" variant="subtle">
              {t('post')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
