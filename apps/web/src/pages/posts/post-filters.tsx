/** The filters of the history. */
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { memo, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { accountsQuery } from '../../queries/accounts.ts';
import { useClient } from '../../queries/client.ts';
import { isFiltered, MAX_TEXT, type PostSearch, parseSearch, STATUSES } from '../../queries/post-search.ts';
import { accountName } from '../../ui/account-name.tsx';
import { IconSearch } from '../../ui/icons/index.ts';
import { platformName } from '../../ui/platform-icon.tsx';
import { DayField } from './day-field.tsx';

/** Debounce delay of requests while the user types, in ms. */
const TYPING_MS = 350;

interface PostFiltersProps {
  search: PostSearch;
  onChange(search: PostSearch): void;
  onReset(): void;
}

/** Rendered only when the filters change, because its fields take long. */
export const PostFilters = memo(function PostFilters({ search, onChange, onReset }: PostFiltersProps) {
  const t = useTranslations('posts');
  const status = useTranslations('status');
  const { data: accounts } = useSuspenseQuery(accountsQuery(useClient()));
  const [text, setText] = useState(search.text ?? '');
  const set = (fields: { [Name in keyof PostSearch]?: string | null }) =>
    onChange(parseSearch({ ...search, ...fields }));
  const setTextLater = useDebouncedCallback((value: string) => set({ text: value }), TYPING_MS);
  // A late change of the URL must not overwrite newer input.
  useEffect(() => {
    if (!setTextLater.isPending()) setText(search.text ?? '');
  }, [search.text, setTextLater]);
  const options = accounts.map((account) => ({
    value: account.id,
    label: `${platformName(account.platform)}: ${accountName(account)}`,
  }));
  // The URL may name an account that is no longer listed.
  const isListed = !search.account || options.some(({ value }) => value === search.account);
  return (
    <Group align="flex-end" gap="sm" role="search">
      <TextInput
        label={t('text')}
        type="search"
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={MAX_TEXT}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setTextLater(currentTarget.value);
        }}
        dir="auto"
        translate="no"
        flex="1 1 200px"
      />
      <Select
        label={t('account')}
        placeholder={t('allAccounts')}
        data={isListed ? options : [...options, { value: search.account ?? '', label: t('otherAccount') }]}
        value={search.account ?? null}
        onChange={(account) => set({ account })}
        clearable
        searchable
        flex="1 1 160px"
      />
      <Select
        label={t('status')}
        placeholder={t('allStatuses')}
        data={STATUSES.map((each) => ({ value: each, label: status(each) }))}
        value={search.status ?? null}
        onChange={(value) => set({ status: value })}
        clearable
        flex="1 1 130px"
      />
      <Group gap="sm" flex="1 1 324px">
        <DayField label={t('from')} day={search.from ?? ''} onChange={(from) => set({ from })} />
        <DayField label={t('to')} day={search.to ?? ''} onChange={(to) => set({ to })} />
      </Group>
      {isFiltered(search) && (
        <Button variant="subtle" onClick={onReset}>
          {t('reset')}
        </Button>
      )}
    </Group>
  );
});
