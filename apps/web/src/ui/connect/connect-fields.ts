/** The input fields for connecting an account. Pure. */
import type { ConnectablePlatform } from '@reelay/sdk';

type Field = NonNullable<ConnectablePlatform['login']>[number];

/** The fields for connecting without a consent page, if the platform allows that; otherwise those before the page. */
export function fieldsOf({ login, consent }: Pick<ConnectablePlatform, 'login' | 'consent'>): Field[] {
  return login ?? consent ?? [];
}

/** The values to send. Empty fields are omitted. */
export function filledIn(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ''));
}
