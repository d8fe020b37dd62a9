/** Tables in other languages. Types compare them with the English ones, so that a missing text does not compile. */
import type { MessageTable, Placeholders } from './message.ts';

/**
 * A text that has the placeholders of the English one; otherwise a type that names the mistake. It is `string` while keys
 * are missing: then only that is reported.
 */
type SameText<English extends string, Text extends string> = string extends Text
  ? string
  : [Exclude<Placeholders<English>, Placeholders<Text>>] extends [never]
    ? [Exclude<Placeholders<Text>, Placeholders<English>>] extends [never]
      ? string
      : `The English text has no placeholder {${Exclude<Placeholders<Text>, Placeholders<English>>}}`
    : `The placeholder {${Exclude<Placeholders<English>, Placeholders<Text>>}} is missing`;

/** A table with the keys of the English one and no others. */
export type SameTable<English extends MessageTable, Table> = {
  [Key in keyof Table]: Key extends keyof English
    ? Table[Key] extends string
      ? SameText<English[Key], Table[Key]>
      : never
    : 'The English table has no such key';
};

/**
 * Returns a function that returns its argument: the table in another language. It must have the keys of the English
 * table, and each text the placeholders of the English one.
 */
export function translationOf<English extends MessageTable>() {
  return <const Table extends { readonly [Key in keyof English]: string }>(
    table: Table & SameTable<English, Table>,
  ): Readonly<Record<keyof English & string, string>> => table as Readonly<Record<keyof English & string, string>>;
}
