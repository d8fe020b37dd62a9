/** The input fields for connecting an account. Pure. */
import type { ConnectablePlatform } from '@reelay/sdk';

export type Field = NonNullable<ConnectablePlatform['login']>[number];
/** What the user gave, by name of the field. */
type Given = Readonly<Record<string, string>>;

/**
 * The fields for connecting without a consent page, if the platform allows that; otherwise those before the page. What has
 * only one value is not asked.
 */
export function fieldsOf({ login, consent }: Pick<ConnectablePlatform, 'login' | 'consent'>): Field[] {
  return (login ?? consent ?? []).filter(({ values }) => values?.length !== 1);
}

/** The value of a field: what was given, or the first one of those to choose from. */
export function valueIn({ name, values }: Pick<Field, 'name' | 'values'>, given: Given): string {
  return given[name] ?? values?.[0]?.value ?? '';
}

/** The values to send. Empty fields are omitted. */
export function filledIn(fields: readonly Pick<Field, 'name' | 'values'>[], given: Given): Record<string, string> {
  const values = fields.map((field) => [field.name, valueIn(field, given)] as const);
  return Object.fromEntries(values.filter(([, value]) => value.trim() !== ''));
}
