/** The rules as a list: from which account to which others, and what became of it. */
import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Platform, Rule } from '@reelay/sdk';
import { IconArrowRight, IconPlayerPause, IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { accountsQuery } from '../../service/accounts.ts';
import { rulesQuery, usePauseRule, useRemoveRule } from '../../service/rules.ts';
import { useClient } from '../../service/service-client.ts';
import { AccountAvatar } from '../../ui/account-avatar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { platformName } from '../../ui/platform-icon.tsx';
import { ActivityDrawer } from './activity-drawer.tsx';
import { AddRule } from './add-rule.tsx';

export function RepostsPage() {
  const t = useTranslations('reposts');
  const client = useClient();
  const { data: rules } = useSuspenseQuery({ ...rulesQuery(client), refetchInterval: 10_000 });
  const { data: accounts } = useSuspenseQuery(accountsQuery(client));
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Stack maw={1100}>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {t('title')}
        </Title>
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setIsAdding(true)}
          disabled={accounts.length < 2}
        >
          {t('add')}
        </Button>
      </Group>
      <Text>{accounts.length < 2 ? t('needsAccounts') : rules.length === 0 ? t('empty') : t('lead')}</Text>
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {rules.map((rule) => (
          <li key={rule.id}>
            <RuleCard rule={rule} />
          </li>
        ))}
      </Stack>
      {isAdding && <AddRule accounts={accounts as Platform[]} onClose={() => setIsAdding(false)} />}
    </Stack>
  );
}

function RuleCard({ rule }: { rule: Rule }) {
  const t = useTranslations('reposts');
  const pause = usePauseRule();
  const remove = useRemoveRule();
  const [shown, setShown] = useState<'activity' | 'delete' | null>(null);
  const name = `${platformName(rule.from.platform)}: ${rule.from.username}`;
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Stack gap="sm">
        <Group gap="md">
          <Account account={rule.from} />
          <IconArrowRight role="img" aria-label={t('to')} />
          {rule.to.map((account) => (
            <Account key={account.id} account={account} />
          ))}
        </Group>
        {rule.watch.text && (
          <Text size="sm" c="dimmed">
            {rule.watch.text}
          </Text>
        )}
        <Failure error={pause.error} />
        <Group gap="xs">
          <Badge color={rule.isPaused ? 'gray' : 'green'} variant="light">
            {rule.isPaused ? t('paused') : t('active')}
          </Badge>
          <Button
            size="xs"
            variant="default"
            loading={pause.isPending}
            leftSection={
              rule.isPaused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
            }
            onClick={() => pause.mutate({ id: rule.id, isPaused: !rule.isPaused })}
          >
            {rule.isPaused ? t('resume') : t('pause')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setShown('activity')}>
            {t('activity')}
          </Button>
          <Button size="xs" variant="subtle" color="red" onClick={() => setShown('delete')}>
            {t('delete')}
          </Button>
        </Group>
      </Stack>
      {shown === 'activity' && <ActivityDrawer rule={rule} onClose={() => setShown(null)} />}
      {shown === 'delete' && (
        <ConfirmDialog
          title={t('deleteTitle')}
          text={t('deleteHint')}
          action={t('delete')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutateAsync(rule.id)}
          onClose={() => setShown(null)}
        />
      )}
    </Paper>
  );
}

function Account({ account }: { account: Rule['from'] }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <AccountAvatar platform={account.platform} image={account.usernameImage} name={account.username} />
      <Stack gap={0} miw={0}>
        <Text fw={600} truncate maw={180}>
          {account.displayName || account.username}
        </Text>
        <Text size="sm" c="dimmed">
          {platformName(account.platform)}
        </Text>
      </Stack>
    </Group>
  );
}
