/** Accounts that the signed-in user selects together. All methods require a session. */
import type { components } from './generated/schema.ts';
import { dataOf, type Transport } from './transport.ts';

export type AccountGroup = components['schemas']['AccountGroup'];
export type SaveAccountGroup = components['schemas']['SaveAccountGroup'];

export interface AccountGroups {
  /** Oldest first. */
  list(): Promise<AccountGroup[]>;
  /** Adds a group, or replaces the accounts of the one of this name. */
  save(group: SaveAccountGroup): Promise<AccountGroup>;
  /** Another group of the new name is deleted. */
  rename(id: string, name: string): Promise<AccountGroup>;
  delete(id: string): Promise<void>;
}

const PATH = '/account-groups';

export function createAccountGroups(transport: Transport): AccountGroups {
  const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  return {
    list: () => dataOf(transport, { method: 'GET', path: PATH }),
    save: (json) => dataOf(transport, { method: 'PUT', path: PATH, json }),
    rename: (id, name) => dataOf(transport, { method: 'PATCH', path: pathOf(id), json: { name } }),
    async delete(id) {
      await transport({ method: 'DELETE', path: pathOf(id) });
    },
  };
}
