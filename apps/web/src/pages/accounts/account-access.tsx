/** When the access to an account expires, when it was checked, and how to renew it. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Account } from '@reelay/sdk';
import { useFormatter, useTranslations } from 'use-intl';
import { useRefreshAccount } from '../../queries/accounts.ts';
import { Failure } from '../../ui/failure.tsx';
import { accessText, isDaysAway } from './access.ts';

export function AccountAccess({ account, onReconnect }: { account: Account; onReconnect(): void }) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  const refresh = useRefreshAccount(account.id);
  const now = Date.now();
  const { text, isUrgent } = accessText(account, now);
  const endsAt = new Date(account.access?.endsAt ?? now);
  const isConnected = account.status === 'CONNECTED';
  return (
    <Stack gap="xs" component="section" aria-labelledby="account-access">
      <Title order={3} size="h5" id="account-access">
        {t('access.title')}
      </Title>
      <Text fw={isUrgent ? 600 : undefined}>
        {t(`access.${text}`, {
          when: format.relativeTime(endsAt, { now, ...(isDaysAway(endsAt, now) && { unit: 'day' }) }),
          date: format.dateTime(endsAt, { dateStyle: 'long' }),
        })}
      </Text>
      <Text size="sm" c="dimmed">
        {account.checkedAt
          ? t('access.checked', {
              at: format.dateTime(new Date(account.checkedAt), { dateStyle: 'medium', timeStyle: 'short' }),
            })
          : t('access.unchecked')}
      </Text>
      <Group>
        <Button variant={isUrgent ? 'filled' : 'default'} onClick={onReconnect}>
          {t('reconnect')}
        </Button>
        {isConnected && (
          <Button variant="default" loading={refresh.isPending} onClick={() => refresh.mutate()}>
            {t('access.check')}
          </Button>
        )}
      </Group>
      <Failure error={refresh.error} />
      <Text size="sm" role="status">
        {refresh.data && (refresh.data.fresh ? t('access.fresh') : t('access.silent'))}
      </Text>
    </Stack>
  );
}
