/** Groups of accounts that are often chosen together, kept in the browser for each user. Pure, apart from the hook. */
import { useLocalStorage } from '@mantine/hooks';

export interface AccountGroup {
  /** Unique among the groups. */
  name: string;
  /** Account ids. */
  accounts: string[];
}

export const MAX_GROUPS = 50;
export const MAX_NAME = 40;

/** Parses stored groups. Missing fields and wrong types are ignored. */
export function parseGroups(text: string | undefined): AccountGroup[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  const groups = stored.flatMap((each: unknown): AccountGroup[] => {
    const { name, accounts } = Object(each) as Partial<Record<keyof AccountGroup, unknown>>;
    if (typeof name !== 'string' || nameOf(name) === '' || !Array.isArray(accounts)) return [];
    return [{ name: nameOf(name), accounts: accounts.filter((id) => typeof id === 'string') }];
  });
  return groups.reduce<AccountGroup[]>((kept, { name, accounts }) => saveGroup(kept, name, accounts), []);
}

/** Adds a group, or replaces the one of this name. The oldest are dropped beyond {@link MAX_GROUPS}. */
export function saveGroup(groups: readonly AccountGroup[], name: string, accounts: readonly string[]): AccountGroup[] {
  const saved = { name: nameOf(name), accounts: [...accounts] };
  const isKnown = groups.some((group) => group.name === saved.name);
  const all = isKnown ? groups.map((group) => (group.name === saved.name ? saved : group)) : [...groups, saved];
  return all.slice(-MAX_GROUPS);
}

/** Renames a group. Another group of the new name is replaced. */
export function renameGroup(groups: readonly AccountGroup[], from: string, to: string): AccountGroup[] {
  const name = nameOf(to);
  if (name === from || name === '') return [...groups];
  return groups
    .filter((group) => group.name !== name)
    .map((group) => (group.name === from ? { ...group, name } : group));
}

/** The accounts of a group that can be selected now, in the order of the group. */
export function usableOf({ accounts }: AccountGroup, usable: readonly string[]): string[] {
  return [...new Set(accounts)].filter((id) => usable.includes(id));
}

export function nameOf(typed: string): string {
  return typed.trim().slice(0, MAX_NAME).trim();
}

export function useAccountGroups(userId: string) {
  return useLocalStorage<AccountGroup[]>({
    key: `reelay-account-groups-${userId}`,
    defaultValue: [],
    deserialize: parseGroups,
    getInitialValueInEffect: false,
  });
}
