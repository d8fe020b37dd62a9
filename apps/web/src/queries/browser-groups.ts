/** Moves groups of accounts that earlier versions kept in the browser to the service. */
import { ReelayApiError, type ReelayClient, type SaveAccountGroup } from '@reelay/sdk';

/** Refusals that each try would get. */
const FINAL = ['invalid_request', 'unknown_platform'];

/**
 * A group of a name that the service has is not moved. The browser keeps the groups until all are moved.
 * @param place key in `localStorage`
 * @throws Error if the service does not take them now
 */
export async function moveGroups({ accountGroups, platforms }: ReelayClient, place: string): Promise<void> {
  const [stored, connected] = await Promise.all([accountGroups.list(), platforms.list()]);
  const names = stored.map(({ name }) => name);
  const ids = connected.map(({ id }) => id);
  for (const { name, accounts } of parseGroups(localStorage.getItem(place))) {
    const left = accounts.filter((id) => ids.includes(id));
    if (left.length === 0 || names.includes(name)) continue;
    await accountGroups.save({ name, accounts: left }).catch((error: unknown) => {
      if (!(error instanceof ReelayApiError && FINAL.includes(error.code))) throw error;
    });
  }
  localStorage.removeItem(place);
}

/** Parses stored groups. Missing fields and wrong types are ignored. */
export function parseGroups(text: string | null): SaveAccountGroup[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((each: unknown): SaveAccountGroup[] => {
    const { name, accounts } = Object(each) as Partial<Record<keyof SaveAccountGroup, unknown>>;
    if (typeof name !== 'string' || !Array.isArray(accounts)) return [];
    return [{ name, accounts: accounts.filter((id) => typeof id === 'string') }];
  });
}
