/** The accounts as cards to pick, and groups of them. */
import { Anchor, Checkbox, Group, SimpleGrid } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { AccountCard } from './account-card.tsx';
import { AccountGroups } from './groups/account-groups.tsx';
import type { ChosenAccount } from './options/chosen-accounts.ts';

interface AccountPickerProps {
  accounts: readonly Platform[];
  chosen: readonly ChosenAccount[];
  onChange(ids: string[]): void;
  onOptions(id: string): void;
}

export function AccountPicker({ accounts, chosen, onChange, onOptions }: AccountPickerProps) {
  const t = useTranslations('compose');
  const usable = accounts.filter(({ status }) => status === 'CONNECTED').map(({ id }) => id);
  const byId = new Map(chosen.map((each) => [each.account.id, each]));
  const isAll = usable.length > 0 && usable.every((id) => byId.has(id));
  return (
    <Checkbox.Group label={t('accounts')} value={[...byId.keys()]} onChange={onChange}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" mt={4} mih={30}>
        <AccountGroups usable={usable} chosen={[...byId.keys()]} onChoose={onChange} />
        <Anchor
          component="button"
          type="button"
          size="sm"
          flex="none"
          lh="30px"
          onClick={() => onChange(isAll ? [] : usable)}
        >
          {isAll ? t('chooseNone') : t('chooseAll')}
        </Anchor>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="xs" mt="xs">
        {accounts.map((account) => (
          <AccountCard key={account.id} account={account} chosen={byId.get(account.id)} onOptions={onOptions} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
