/** Accounts that the signed-in user selects together. All methods require a session. */
import type { components } from './generated/schema.ts';
import { jsonOf, type Transport } from './transport.ts';

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
  const dataOf = async <Data>(call: Parameters<Transport>[0]) => (await jsonOf<{ data: Data }>(transport, call)).data;
  const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  return {
    list: () => dataOf({ method: 'GET', path: PATH }),
    save: (json) => dataOf({ method: 'PUT', path: PATH, json }),
    rename: (id, name) => dataOf({ method: 'PATCH', path: pathOf(id), json: { name } }),
    async delete(id) {
      await transport({ method: 'DELETE', path: pathOf(id) });
    },
  };
}
