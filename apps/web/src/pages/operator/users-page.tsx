/** All users with plan, usage and state. */
import { Button, Loader, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ManagedUser } from '@reelay/sdk';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { usersQuery } from '../../queries/operator.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { IconSearchOff } from '../../ui/icons/index.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { UserActions } from './user-actions.tsx';
import { UserName, UserUsage } from './user-cells.tsx';

const TYPING_MS = 250;

export function UsersPage() {
  const t = useTranslations('operator');
  const [text, setText] = useState('');
  const [searched] = useDebouncedValue(text.trim(), TYPING_MS);
  const users = useInfiniteQuery({ ...usersQuery(useClient(), searched), placeholderData: keepPreviousData });
  const columns = useColumns();
  const rows = users.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Stack>
      <SearchField label={t('users.search')} value={text} onChange={setText} />
      <Failure error={users.error} />
      {users.isPending && <Loader aria-label={t('loading')} />}
      {users.data && rows.length === 0 && <EmptyState image={IconSearchOff} title={t('users.empty')} />}
      {rows.length > 0 && <DataTable label={t('users.list')} columns={columns} rows={rows} rowKey={({ id }) => id} />}
      {users.hasNextPage && (
        <Button variant="default" loading={users.isFetchingNextPage} onClick={() => void users.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Stack>
  );
}

function useColumns(): Column<ManagedUser>[] {
  const t = useTranslations('operator.users');
  const format = useFormatter();
  const date = (at: string) => format.dateTime(new Date(at), { dateStyle: 'medium' });
  return [
    { key: 'user', label: t('user'), cell: (user) => <UserName user={user} /> },
    { key: 'plan', label: t('plan'), cell: ({ plan }) => plan },
    { key: 'usage', label: t('usage'), cell: (user) => <UserUsage user={user} /> },
    { key: 'seen', label: t('seen'), cell: ({ lastSeenAt }) => (lastSeenAt ? date(lastSeenAt) : t('never')) },
    { key: 'since', label: t('since'), cell: ({ createdAt }) => date(createdAt) },
    { key: 'actions', label: t('actions'), cell: (user) => <UserActions user={user} /> },
  ];
}
