/** Selects accounts, by card or by group. */
import { Anchor, Checkbox, Group, SimpleGrid, Text } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { accountGroupsQuery } from '../../queries/account-groups.ts';
import { useClient } from '../../queries/client.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { platformName } from '../../ui/platform-icon.tsx';
import { matchesSearch } from '../../ui/text-search.ts';
import { AccountCard } from './account-card.tsx';
import type { ChosenAccount } from './options/chosen-accounts.ts';

/** From this number of accounts, a search field is shown. */
const SEARCH_FROM = 13;

/** Height of a row with a target, which is higher on touch screens. */
const rowHeight = (px: number) => `max(${px}px, var(--least-target))`;

// Loaded on demand, because few users have enough accounts to search.
const SearchField = lazyPart(async () => (await import('../../ui/search-field.tsx')).SearchField, {
  Fallback: () => <span />,
});

// Loaded on demand, because most users start without groups and selected accounts.
const AccountGroups = lazyPart(async () => (await import('./groups/account-groups.tsx')).AccountGroups, {
  Fallback: () => <span />,
});

export interface AccountPickerProps {
  accounts: readonly Platform[];
  chosen: readonly ChosenAccount[];
  /** Whether accounts cannot be added or removed. */
  isFixed?: boolean;
  onChange(ids: string[]): void;
  onOptions(id: string): void;
}

export function AccountPicker({ accounts, chosen, isFixed = false, onChange, onOptions }: AccountPickerProps) {
  const t = useTranslations('compose');
  const [search, setSearch] = useState('');
  const { user } = useRouteContext({ from: '/signed-in' });
  const { data: groups = [] } = useQuery(accountGroupsQuery(useClient(), user.id));
  const isLong = accounts.length >= SEARCH_FROM;
  const shown = isLong ? accounts.filter((account) => matchesSearch(search, textsOf(account))) : accounts;
  const usable = accounts.filter(isUsable).map(({ id }) => id);
  const usableShown = shown.filter(isUsable).map(({ id }) => id);
  const byId = new Map(chosen.map((each) => [each.account.id, each]));
  const isAll = usableShown.length > 0 && usableShown.every((id) => byId.has(id));
  const toggleAll = () => {
    const others = [...byId.keys()].filter((id) => !usableShown.includes(id));
    onChange(isAll ? others : [...others, ...usableShown]);
  };
  return (
    <Checkbox.Group label={t('accounts')} value={[...byId.keys()]} onChange={onChange}>
      {isLong && (
        <Group justify="space-between" wrap="nowrap" mt={4} mih={rowHeight(36)} gap="xs">
          <SearchField label={t('find')} value={search} onChange={setSearch} />
          <Text size="sm" c="dimmed" flex="none" aria-live="polite">
            {t('chosenOf', { count: byId.size, total: accounts.length })}
          </Text>
        </Group>
      )}
      {!isFixed && (
        <Group justify="space-between" align="flex-start" wrap="nowrap" mt={4} mih={rowHeight(30)}>
          {groups.length > 0 || byId.size > 0 ? (
            <AccountGroups groups={groups} usable={usable} chosen={[...byId.keys()]} onChoose={onChange} />
          ) : (
            <span />
          )}
          <Anchor component="button" type="button" size="sm" flex="none" lh="30px" onClick={toggleAll}>
            {isAll ? t('chooseNone') : t('chooseAll')}
          </Anchor>
        </Group>
      )}
      {shown.length === 0 && <Text>{t('noMatch')}</Text>}
      <SimpleGrid type="container" cols={{ base: 1, '480px': 2, '1000px': 3 }} spacing="xs" mt="xs">
        {shown.map((account) => (
          <AccountCard
            key={account.id}
            account={account}
            chosen={byId.get(account.id)}
            isFixed={isFixed}
            onOptions={onOptions}
          />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

const isUsable = ({ status }: Platform) => status === 'CONNECTED';

const textsOf = ({ platform, username, displayName }: Platform) => [
  platformName(platform),
  username,
  displayName ?? '',
];
