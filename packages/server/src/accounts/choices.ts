/** Choices that a platform wants the account's owner to make. Pure. */
import type { Choice, ChoiceValue } from '../connectors/contract.ts';
import { ReelayError } from '../errors.ts';

/** What an account may choose from, as it is stored: rows of earlier versions have values without labels. */
export type StoredValues = Readonly<Record<string, readonly (string | ChoiceValue)[]>>;

/** A choice as its owner sees it. */
export interface OwnChoice {
  name: string;
  label: string;
  required: boolean;
  /** null: not made. */
  value: string | null;
  values: readonly ChoiceValue[];
}

/** More than these are not told in a refusal. */
const MOST_NAMED = 20;

/** What can be chosen. @param stored what one account may choose; what it does not name, the platform's own values */
export function valuesOf(choice: Choice, stored?: StoredValues): readonly ChoiceValue[] {
  const labelOf = (value: string) => choice.values.find((each) => each.value === value)?.label ?? value;
  return (
    stored?.[choice.name]?.map((each) => (typeof each === 'string' ? { value: each, label: labelOf(each) } : each)) ??
    choice.values
  );
}

/** All choices of an account. */
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
 * Choices as they were given, in the platform's own words.
 * @param stored what one account may choose from, where it is known
 * @throws ReelayError `invalid_request` naming what there is to choose from
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
      const names = choices.map((each) => each.name).join(', ') || 'nothing';
      throw new ReelayError('invalid_request', `There is no choice "${name}" here. There is: ${names}.`);
    }
    const value = valueMeant(choice, word, stored);
    if (value === undefined)
      throw new ReelayError('invalid_request', `"${name}" can be: ${named(valuesOf(choice, stored)) || 'nothing'}.`);
    checked[name] = value;
  }
  return checked;
}

function named(values: readonly ChoiceValue[]): string {
  const more = values.length - MOST_NAMED;
  const first = values
    .slice(0, MOST_NAMED)
    .map(({ value, label }) => (label === value ? value : `${value} (${label})`));
  return first.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * The choices that are stored: those made now, else those made before, as far as the account allows them.
 * @param allowed what this account may choose from; what it does not name, the platform's own values
 * @returns sentences for the owner about what is still to be chosen or could not be
 */
export function mergeChoices(
  choices: readonly Choice[],
  allowed: StoredValues | undefined,
  before: Record<string, string>,
  now: Record<string, string>,
): { choices: Record<string, string>; notes: string[] } {
  const made: Record<string, string> = {};
  const notes: string[] = [];
  for (const choice of choices) {
    const values = valuesOf(choice, allowed);
    const wanted = [now[choice.name], before[choice.name]].filter((value) => value !== undefined);
    const value = wanted.find((each) => values.some((one) => one.value === each));
    if (value !== undefined) made[choice.name] = value;
    if (now[choice.name] !== undefined && value !== now[choice.name])
      notes.push(
        `This account does not allow "${now[choice.name]}" for: ${choice.label}. It allows ${named(values) || 'nothing'}.`,
      );
    if (value === undefined && choice.required)
      notes.push(`Before it can post, its owner has to choose: ${choice.label}.`);
  }
  return { choices: made, notes };
}

/**
 * The value of a choice that a person means by a word: the value itself, else the one that is called so, else of the
 * platform's own values the one that begins so ("public" for `PUBLIC_TO_EVERYONE`), whatever the case. undefined: none.
 * @param stored what one account may choose from, where it is known
 */
export function valueMeant(choice: Choice, word: string, stored?: StoredValues): string | undefined {
  const values = valuesOf(choice, stored);
  const small = word.toLowerCase();
  if (values.some(({ value }) => value === word)) return word;
  const [called, ...others] = values.filter(({ label }) => label.toLowerCase() === small);
  if (called) return others.length === 0 ? called.value : undefined;
  // Never an account's own, which may be numbers.
  const begun = choice.values.filter(({ value }) => value.toLowerCase().startsWith(small));
  return begun.find(({ value }) => values.some((each) => each.value === value))?.value;
}
