import { accountName } from '../../ui/account-name.tsx';
import { platformName } from '../../ui/platform-icon.tsx';

type Named = Parameters<typeof accountName>[0] & { platform: string };

/** The name of an account where only plain text is possible. */
export const accountLabel = (account: Named): string => `${platformName(account.platform)}: ${accountName(account)}`;

export const accountLabels = (accounts: readonly Named[]): string => accounts.map(accountLabel).join(', ');
