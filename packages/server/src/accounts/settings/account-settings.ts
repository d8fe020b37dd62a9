/** Validates and merges the platform settings that an account's owner chooses. Pure. */
import type { Choice, ChoiceValue } from '../../connectors/contract.ts';
import { apiError } from '../../errors/reelay-error.ts';
import { say } from '../../messages/connect.ts';
import type { Message } from '../../messages/message.ts';

/** The values that an account may choose from, as stored. Rows from earlier versions have values without labels. */
export type StoredValues = Readonly<Record<string, readonly (string | ChoiceValue)[]>>;

/** A choice as its owner sees it. */
export interface OwnChoice {
  name: string;
  label: string;
  required: boolean;
  /** null if not chosen. */
  value: string | null;
  values: readonly ChoiceValue[];
}

/** Maximum number of values listed in an error message. */
const MAX_NAMED = 20;

/**
 * The values that can be chosen.
 * @param stored the values of one account; for choices it does not list, the platform's own values apply
 */
export function valuesOf(choice: Choice, stored?: StoredValues): readonly ChoiceValue[] {
  const labelOf = (value: string) => choice.values.find((each) => each.value === value)?.label ?? value;
  return (
    stored?.[choice.name]?.map((each) => (typeof each === 'string' ? { value: each, label: labelOf(each) } : each)) ??
    choice.values
  );
}

/** Lists all choices of an account. */
export function ownChoices(
  choices: readonly Choice[],
  account: { choices: Record<string, string>; choiceValues: StoredValues },
): OwnChoice[] {
  return choices.map((choice) => {
    const { name, label, required } = choice;
    return {
      name,
      label,
      required,
      value: account.choices[name] ?? null,
      values: valuesOf(choice, account.choiceValues),
    };
  });
}

/**
 * Converts the given choices to the platform's values.
 * @param stored the values that one account may choose from, if known
 * @throws ReelayError `invalid_request` listing the possible choices or values
 */
export function checkChoices(
  choices: readonly Choice[],
  given: Record<string, string>,
  stored?: StoredValues,
): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, word] of Object.entries(given)) {
    const choice = choices.find((each) => each.name === name);
    if (!choice) {
      const allowed = choices.map((each) => each.name).join(', ') || 'none';
      throw apiError('setting_unknown', { name, allowed });
    }
    const value = valueMeant(choice, word, stored);
    if (value === undefined)
      throw apiError('setting_not_allowed', { name, allowed: named(valuesOf(choice, stored)) || 'none' });
    checked[name] = value;
  }
  return checked;
}

function named(values: readonly ChoiceValue[]): string {
  const more = values.length - MAX_NAMED;
  const first = values.slice(0, MAX_NAMED).map(({ value, label }) => (label === value ? value : `${value} (${label})`));
  return first.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * Merges choices for storage: the new ones, else the previous ones, if the account allows them.
 * @param allowed the values that this account may choose from; for choices it does not list, the platform's own values
 * apply
 * @returns the merged choices, and notes for the owner about choices that are missing or not allowed
 */
export function mergeChoices(
  choices: readonly Choice[],
  allowed: StoredValues | undefined,
  before: Record<string, string>,
  now: Record<string, string>,
): { choices: Record<string, string>; notes: Message[] } {
  const made: Record<string, string> = {};
  const notes: Message[] = [];
  for (const choice of choices) {
    const values = valuesOf(choice, allowed);
    const wanted = [now[choice.name], before[choice.name]].filter((value) => value !== undefined);
    const value = wanted.find((each) => values.some((one) => one.value === each));
    if (value !== undefined) made[choice.name] = value;
    if (now[choice.name] !== undefined && value !== now[choice.name])
      notes.push(
        say('setting_not_allowed', {
          value: now[choice.name] ?? '',
          setting: choice.label,
          allowed: named(values) || 'none',
        }),
      );
    if (value === undefined && choice.required) notes.push(say('setting_required', { setting: choice.label }));
  }
  return { choices: made, notes };
}

/**
 * Resolves what a person typed to a value of a choice; undefined if nothing matches. It tries an exact value, then a
 * label, then a prefix of one of the platform's own values ("public" for `PUBLIC_TO_EVERYONE`). Labels and prefixes
 * match case-insensitively.
 * @param stored the values that one account may choose from, if known
 */
export function valueMeant(choice: Choice, word: string, stored?: StoredValues): string | undefined {
  const values = valuesOf(choice, stored);
  const small = word.toLowerCase();
  if (values.some(({ value }) => value === word)) return word;
  const [called, ...others] = values.filter(({ label }) => label.toLowerCase() === small);
  if (called) return others.length === 0 ? called.value : undefined;
  // No prefix match on an account's own values, which may be numbers.
  const begun = choice.values.filter(({ value }) => value.toLowerCase().startsWith(small));
  return begun.find(({ value }) => values.some((each) => each.value === value))?.value;
}
