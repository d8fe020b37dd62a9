/** The filters of the history that are chosen from lists and calendars. */
import { Button, Group, Select } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { accountsQuery } from '../../queries/accounts.ts';
import { useClient } from '../../queries/client.ts';
import { isFiltered, type PostSearch, STATUSES } from '../../queries/post-search.ts';
import { accountName } from '../../ui/account-name.tsx';
import { platformName } from '../../ui/platform-icon.tsx';
import { DayField } from './day-field.tsx';

interface ChoiceFiltersProps {
  search: PostSearch;
  onChange(fields: { [Name in keyof PostSearch]?: string | null }): void;
  onReset(): void;
}

export function ChoiceFilters({ search, onChange, onReset }: ChoiceFiltersProps) {
  const t = useTranslations('posts');
  const status = useTranslations('status');
  const { data: accounts } = useSuspenseQuery(accountsQuery(useClient()));
  const options = accounts.map((account) => ({
    value: account.id,
    label: `${platformName(account.platform)}: ${accountName(account)}`,
  }));
  // The URL may name an account that is no longer listed.
  const isListed = !search.account || options.some(({ value }) => value === search.account);
  return (
    <>
      <Select
        label={t('account')}
        placeholder={t('allAccounts')}
        data={isListed ? options : [...options, { value: search.account ?? '', label: t('otherAccount') }]}
        value={search.account ?? null}
        onChange={(account) => onChange({ account })}
        clearable
        searchable
        flex="1 1 160px"
      />
      <Select
        label={t('status')}
        placeholder={t('allStatuses')}
        data={STATUSES.map((each) => ({ value: each, label: status(each) }))}
        value={search.status ?? null}
        onChange={(value) => onChange({ status: value })}
        clearable
        flex="1 1 130px"
      />
      <Group gap="sm" flex="1 1 324px">
        <DayField label={t('from')} day={search.from ?? ''} onChange={(from) => onChange({ from })} />
        <DayField label={t('to')} day={search.to ?? ''} onChange={(to) => onChange({ to })} />
      </Group>
      {isFiltered(search) && (
        <Button variant="subtle" onClick={onReset}>
          {t('reset')}
        </Button>
      )}
    </>
  );
}
