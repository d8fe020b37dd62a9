import { accountName } from '../../../ui/account-name.tsx';
import type { ChosenAccount } from '../options/chosen-accounts.ts';
import type { Verdict } from './repairs.ts';

/** What people call the account of a verdict. */
export function verdictName({ platformId, username }: Verdict, chosen: readonly ChosenAccount[]): string {
  const found = chosen.find(({ account }) => account.id === platformId);
  return found ? accountName(found.account) : username;
}
