/** Names and accounts of a group. Pure. */
import type { AccountGroup } from '@reelay/sdk';

/** In UTF-16 units, as the service limits it. */
export const MAX_NAME = 40;

/** The name that a typed text means; "": none. */
export function nameOf(typed: string): string {
  return typed.trim().slice(0, MAX_NAME).trim();
}

/** The accounts of a group that can be selected now, in the order of the group. */
export function usableOf({ accounts }: Pick<AccountGroup, 'accounts'>, usable: readonly string[]): string[] {
  return accounts.filter((id) => usable.includes(id));
}
