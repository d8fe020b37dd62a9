/** Text about when the access to an account expires. Pure. */
import type { Account, Platform } from '@reelay/sdk';

/** How long before expiry to warn, in ms. */
const SOON_MS = 14 * 86_400_000;

/** Whether posts to the account fail, or will fail soon, until it is reconnected. */
export type AccessState = 'works' | 'notRenewed' | 'ended';

export function accessState({ status, warnings }: Pick<Platform, 'status' | 'warnings'>): AccessState {
  if (status !== 'CONNECTED') return 'ended';
  return warnings.some(({ code }) => code === 'access_not_renewed') ? 'notRenewed' : 'works';
}

const URGENCY: readonly AccessState[] = ['ended', 'notRenewed', 'works'];

/** Accounts that need their owner first; else in the given order. */
export function byUrgency<Listed extends Pick<Platform, 'status' | 'warnings'>>(accounts: readonly Listed[]): Listed[] {
  return URGENCY.flatMap((state) => accounts.filter((account) => accessState(account) === state));
}

export type AccessText = 'ended' | 'endless' | 'renewed' | 'renewing' | 'reconnect';

/**
 * @param now ms since the epoch
 * @returns which text to show, and whether the owner should act soon
 */
export function accessText(
  { status, access }: Pick<Account, 'status' | 'access'>,
  now: number,
): { text: AccessText; isUrgent: boolean } {
  if (status !== 'CONNECTED' || !access) return { text: 'ended', isUrgent: true };
  if (access.endsAt === null) return { text: 'endless', isUrgent: false };
  const leftMs = Date.parse(access.endsAt) - now;
  if (access.renewed) return { text: leftMs > 0 ? 'renewed' : 'renewing', isUrgent: false };
  return { text: 'reconnect', isUrgent: leftMs < SOON_MS };
}

/** Whether a date is best shown in days, not in hours, weeks or months. @param now ms since the epoch */
export function isDaysAway(moment: Date, now: number): boolean {
  const days = (moment.getTime() - now) / 86_400_000;
  return days >= 1.5 && days < 100;
}

/** The settings that differ from the stored ones. @param typed by name; untouched settings are missing */
export function changedChoices(
  choices: readonly Pick<Account['choices'][number], 'name' | 'value'>[],
  typed: Readonly<Record<string, string>>,
): Record<string, string> {
  const stored = new Map(choices.map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => stored.has(name) && stored.get(name) !== value),
  );
}
