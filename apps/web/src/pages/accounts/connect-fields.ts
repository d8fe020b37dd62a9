/** What is asked before an account is connected. Pure. */
import type { ConnectablePlatform } from '@reelay/sdk';

type Field = NonNullable<ConnectablePlatform['login']>[number];

/** The fields to connect immediately if the platform allows that; otherwise those asked before its own page. */
export function fieldsOf({ login, consent }: Pick<ConnectablePlatform, 'login' | 'consent'>): Field[] {
  return login ?? consent ?? [];
}

/** What to send: fields left empty are not sent. */
export function filledIn(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ''));
}
