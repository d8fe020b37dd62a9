import { platformName } from '../../ui/platform-icon.tsx';

/** The name of an account where only plain text is possible. */
export function accountLabel({ platform, username }: { platform: string; username: string }): string {
  return `${platformName(platform)}: ${username}`;
}

export const accountLabels = (accounts: readonly { platform: string; username: string }[]) =>
  accounts.map(accountLabel).join(', ');
