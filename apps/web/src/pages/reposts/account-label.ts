import { platformName } from '../../ui/platform-icon.tsx';

/** How an account is named where only text can stand. */
export function accountLabel({ platform, username }: { platform: string; username: string }): string {
  return `${platformName(platform)}: ${username}`;
}

/** Several accounts in one text. */
export const accountLabels = (accounts: readonly { platform: string; username: string }[]) =>
  accounts.map(accountLabel).join(', ');
