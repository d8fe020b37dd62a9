/** The page of connected accounts, on which users also connect accounts and operators set up platforms. */
import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { accountsQuery, catalogQuery } from '../../queries/accounts.ts';
import { useClient } from '../../queries/client.ts';
import { signInOptionsQuery } from '../../queries/session.ts';
import { userQuery } from '../../queries/user.ts';
import { ConnectDialog } from '../../ui/connect/connect-dialog.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { accessState, byUrgency } from './access.ts';
import { AccountCard } from './account-card.tsx';
import { AttemptNotice } from './attempt-notice.tsx';
import { ConnectPlatforms } from './connect-platforms.tsx';
import { SandboxOffer } from './sandbox-offer.tsx';

/** Loaded on demand, because it is rarely opened. */
const AccountPanel = lazyPart(async () => (await import('./account-panel.tsx')).AccountPanel, { isOverlay: true });
const SetupPanel = lazyPart(async () => (await import('../../ui/setup/setup-panel.tsx')).SetupPanel, {
  isOverlay: true,
});

export function AccountsPage() {
  const t = useTranslations('accounts');
  const client = useClient();
  const { data: accounts } = useSuspenseQuery({ ...accountsQuery(client), refetchInterval: 5_000 });
  const { data: options } = useSuspenseQuery(signInOptionsQuery(client));
  const { data: catalog } = useSuspenseQuery(catalogQuery(client));
  const { data: user } = useSuspenseQuery(userQuery(client));
  const search = useSearch({ from: '/signed-in/accounts' });
  const navigate = useNavigate({ from: '/accounts' });
  const open = (shown: { account?: string; setup?: string }) => void navigate({ search: shown, resetScroll: false });
  const [renewing, setRenewing] = useState<Platform | null>(null);
  const entry = catalog.find(({ platform }) => platform === renewing?.platform);
  const broken = accounts.filter((account) => accessState(account) === 'ended').length;
  const shown = accounts.find(({ id }) => id === search.account);
  return (
    <Stack maw={1100}>
      <PageTitle>{t('title')}</PageTitle>
      <AttemptNotice />
      {accounts.length === 0 ? (
        <Text>{t('empty')}</Text>
      ) : (
        <Text c="dimmed">{t('count', { count: accounts.length - broken, broken })}</Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {byUrgency(accounts).map((account) => (
          <AccountCard
            key={account.id}
            account={account}
            onOpen={() => open({ account: account.id })}
            onReconnect={() => setRenewing(account)}
          />
        ))}
      </SimpleGrid>
      {options.sandbox && <SandboxOffer accounts={accounts} platforms={catalog} />}
      <ConnectPlatforms user={user} onSetUp={(platform) => open({ setup: platform })} />
      {shown && (
        <AccountPanel key={shown.id} account={shown} onReconnect={() => setRenewing(shown)} onClose={() => open({})} />
      )}
      {search.setup && user.operator && (
        <SetupPanel key={search.setup} platform={search.setup} onClose={() => open({})} />
      )}
      {renewing && entry && <ConnectDialog entry={entry} account={renewing} onClose={() => setRenewing(null)} />}
    </Stack>
  );
}
