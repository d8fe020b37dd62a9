/** The input for options that a post was sent with. Pure. */
import type { PostForm } from '@reelay/sdk';
import type { OptionValue, OptionValues } from './draft.ts';

/**
 * Fills in the form of an account, so that it sends the same options again. Options that the form does not have are left
 * out.
 */
export function valuesOf({ fields }: PostForm, options: Readonly<Record<string, unknown>>): OptionValues {
  const values: Record<string, OptionValue> = {};
  for (const { name, pageOnly, inverted } of fields) {
    const sent = pageOnly ? undefined : options[name];
    if (typeof sent === 'boolean') values[name] = sent !== inverted;
    else if (typeof sent === 'string' || isTexts(sent)) values[name] = sent;
  }
  // A field that only controls others is on if one of them is.
  for (const { name } of fields.filter(({ pageOnly }) => pageOnly))
    if (fields.some((each) => each.when?.[name] === true && isSet(values[each.name]))) values[name] = true;
  return values;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

const isSet = (value: OptionValue | undefined) => value !== undefined && value !== false && value !== '';
