/** The repost rules as a picture or a table, and a panel for the chosen rule. */
import { Button, Center, Group, Loader, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Platform } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { accountsQuery } from '../../queries/accounts.ts';
import { useClient } from '../../queries/client.ts';
import { rulesQuery } from '../../queries/rules.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconPlus } from '../../ui/icons/index.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { RelayPicture } from '../../ui/relay-picture.tsx';
import { AddRule } from './add-rule.tsx';
import { RulePanel } from './panel/rule-panel.tsx';
import { RuleTable } from './rule-table.tsx';

/** Loaded on demand, because only the picture needs the graph library. */
const Picture = lazyPart(async () => (await import('./picture/picture.tsx')).Picture, { Fallback: PictureLoader });

type View = 'picture' | 'table';

export function RepostsPage() {
  const t = useTranslations('reposts');
  const client = useClient();
  const { data: rules } = useSuspenseQuery({ ...rulesQuery(client), refetchInterval: 10_000 });
  const { data: accounts } = useSuspenseQuery(accountsQuery(client));
  const [isAdding, setIsAdding] = useState(false);
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  const search = useSearch({ from: '/signed-in/reposts' });
  const navigate = useNavigate({ from: '/reposts' });
  const view: View = search.view ?? (isWide ? 'picture' : 'table');
  const open = (
    rule: string | undefined,
    { tab, ignoreBlocker = false }: { tab?: 'options'; ignoreBlocker?: boolean } = {},
  ) =>
    void navigate({
      search: ({ rule: _, tab: __, ...others }) => ({ ...others, ...(rule && { rule }), ...(tab && { tab }) }),
      resetScroll: false,
      ignoreBlocker,
    });
  const canAdd = accounts.length > 1;
  return (
    <Stack maw={view === 'table' ? 1200 : undefined}>
      <Group justify="space-between">
        <PageTitle>{t('title')}</PageTitle>
        <Group gap="sm">
          {canAdd && (
            <SegmentedControl
              aria-label={t('view')}
              data={(['picture', 'table'] as const).map((value) => ({ value, label: t(value) }))}
              value={view}
              onChange={(value) =>
                void navigate({ search: (others) => ({ ...others, view: value }), replace: true, resetScroll: false })
              }
            />
          )}
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)} disabled={!canAdd}>
            {t('add')}
          </Button>
        </Group>
      </Group>
      {!canAdd && (
        <EmptyState
          image={<RelayPicture name="reposts" />}
          title={t('needsAccounts')}
          action={
            <Button component={Link} to="/accounts">
              {t('connect')}
            </Button>
          }
        >
          {t('what')}
        </EmptyState>
      )}
      {canAdd && <Text>{rules.length === 0 && view === 'picture' ? t('what') : t('lead')}</Text>}
      {canAdd && view === 'picture' && (
        <Picture
          accounts={accounts}
          rules={rules}
          openId={search.rule ?? null}
          onOpen={(rule, tab) => open(rule, tab && { tab })}
        />
      )}
      {canAdd && view === 'table' && rules.length === 0 && (
        <EmptyState
          image={<RelayPicture name="reposts" />}
          title={t('empty')}
          action={
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
              {t('first')}
            </Button>
          }
        >
          {t('what')}
        </EmptyState>
      )}
      {view === 'table' && rules.length > 0 && <RuleTable rules={rules} onOpen={(rule) => open(rule)} />}
      {isAdding && <AddRule accounts={accounts as Platform[]} rules={rules} onClose={() => setIsAdding(false)} />}
      {search.rule !== undefined && (
        <RulePanel
          key={search.rule}
          rules={rules}
          rule={rules.find(({ id }) => id === search.rule) ?? null}
          onClose={() => open(undefined)}
          {...(search.tab && { firstTab: search.tab })}
          onDeleted={() => open(undefined, { ignoreBlocker: true })}
        />
      )}
    </Stack>
  );
}

function PictureLoader() {
  const t = useTranslations('reposts');
  return (
    <Center mih="50vh">
      <Loader aria-label={t('graph.label')} />
    </Center>
  );
}
