/** The posts on the simulated platforms, with actions: post from a phone, inject faults, reset. */
import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { accountsQuery } from '../../queries/accounts.ts';
import { useClient } from '../../queries/client.ts';
import { type SandboxFilter, sandboxQuery, useResetSandbox } from '../../queries/sandbox.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconAlertTriangle, IconBolt, IconDeviceMobile, IconTrash } from '../../ui/icons/index.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { platformName } from '../../ui/platform-icon.tsx';
import { FaultsDrawer, useFaultName } from './faults-drawer.tsx';
import { PhoneDialog } from './phone-dialog.tsx';
import { PostGrid } from './post-grid.tsx';

export function SandboxPage() {
  const t = useTranslations('sandbox');
  const client = useClient();
  const { data: status } = useSuspenseQuery(sandboxQuery(client));
  const { data: accounts } = useSuspenseQuery(accountsQuery(client));
  const [filter, setFilter] = useState<SandboxFilter>({});
  const [open, setOpen] = useState<'phone' | 'faults' | 'reset' | null>(null);
  const close = () => setOpen(null);
  const simulated = accounts.filter(({ sandbox }) => sandbox);
  const usernames = simulated.filter(({ platform }) => platform === filter.platform).map(({ username }) => username);
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <div>
          <PageTitle>{t('title')}</PageTitle>
          <Text c="dimmed">{t('lead')}</Text>
        </div>
        <Group gap="xs">
          <Button leftSection={<IconDeviceMobile size={18} aria-hidden />} onClick={() => setOpen('phone')}>
            {t('phone')}
          </Button>
          <Button variant="default" leftSection={<IconBolt size={18} aria-hidden />} onClick={() => setOpen('faults')}>
            {t('faults')}
          </Button>
          <Button variant="default" leftSection={<IconTrash size={18} aria-hidden />} onClick={() => setOpen('reset')}>
            {t('reset')}
          </Button>
        </Group>
      </Group>
      <ActiveFaults onOpen={() => setOpen('faults')} />
      <Group>
        <Select
          label={t('platform')}
          placeholder={t('all')}
          clearable
          data={status.platforms.map((value) => ({ value, label: platformName(value) }))}
          value={filter.platform ?? null}
          onChange={(platform) => setFilter(platform ? { platform } : {})}
        />
        <Select
          key={filter.platform}
          label={t('account')}
          placeholder={t('all')}
          clearable
          disabled={usernames.length === 0}
          data={[...new Set(usernames)]}
          value={filter.username ?? null}
          onChange={(username) => setFilter({ platform: filter.platform, ...(username && { username }) })}
        />
      </Group>
      <PostGrid filter={filter} />
      {open === 'phone' && <PhoneDialog platforms={status.platforms} accounts={simulated} onClose={close} />}
      {open === 'faults' && <FaultsDrawer onClose={close} />}
      {open === 'reset' && <ResetDialog onClose={close} />}
    </Stack>
  );
}

function ActiveFaults({ onOpen }: { onOpen(): void }) {
  const t = useTranslations('sandbox');
  const format = useFormatter();
  const faultName = useFaultName();
  const { faults } = useSuspenseQuery(sandboxQuery(useClient())).data;
  if (faults.length === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('faultsOn', { count: faults.length })}
      role="status"
    >
      <Stack gap={4} align="flex-start">
        {faults.map(({ platform, kind, share }) => (
          <Text key={platform} size="sm">
            {t('faultOn', {
              platform: platformName(platform),
              fault: faultName(kind),
              share: format.number(share, { style: 'percent' }),
            })}
          </Text>
        ))}
        <Button size="compact-sm" variant="default" mt={4} onClick={onOpen}>
          {t('faults')}
        </Button>
      </Stack>
    </Alert>
  );
}

function ResetDialog({ onClose }: { onClose(): void }) {
  const t = useTranslations('sandbox');
  const reset = useResetSandbox();
  return (
    <ConfirmDialog
      title={t('resetTitle')}
      text={t('resetHint')}
      action={t('reset')}
      isPending={reset.isPending}
      error={reset.error}
      onConfirm={() => reset.mutateAsync()}
      onClose={onClose}
    />
  );
}
