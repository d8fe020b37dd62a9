/** Choices that a platform wants the account's owner to make. Pure. */
import type { Choice } from '../connectors/contract.ts';
import { ReelayError } from '../errors.ts';

/**
 * Choices as they were given, in the platform's own words.
 * @throws ReelayError `invalid_request` naming what there is to choose from
 */
export function checkChoices(choices: readonly Choice[], given: Record<string, string>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, word] of Object.entries(given)) {
    const choice = choices.find((each) => each.name === name);
    if (!choice) {
      const names = choices.map((each) => each.name).join(', ') || 'nothing';
      throw new ReelayError('invalid_request', `There is no choice "${name}" here. There is: ${names}.`);
    }
    const value = valueMeant(choice, word);
    if (value === undefined) {
      const values = choice.values.map((each) => each.value).join(', ');
      throw new ReelayError('invalid_request', `"${name}" can be: ${values}.`);
    }
    checked[name] = value;
  }
  return checked;
}

/**
 * The choices that are stored: those made now, else those made before, as far as the account allows them.
 * @param allowed what this account may choose from; what it does not name, the platform's own values
 * @returns sentences for the owner about what is still to be chosen or could not be
 */
export function mergeChoices(
  choices: readonly Choice[],
  allowed: Record<string, readonly string[]> | undefined,
  before: Record<string, string>,
  now: Record<string, string>,
): { choices: Record<string, string>; notes: string[] } {
  const made: Record<string, string> = {};
  const notes: string[] = [];
  for (const choice of choices) {
    const values = allowed?.[choice.name] ?? choice.values.map((each) => each.value);
    const wanted = [now[choice.name], before[choice.name]].filter((value) => value !== undefined);
    const value = wanted.find((each) => values.includes(each));
    if (value !== undefined) made[choice.name] = value;
    if (now[choice.name] !== undefined && value !== now[choice.name])
      notes.push(
        `This account does not allow "${now[choice.name]}" for: ${choice.label}. It allows ${values.join(', ')}.`,
      );
    if (value === undefined && choice.required)
      notes.push(`Before it can post, its owner has to choose: ${choice.label}.`);
  }
  return { choices: made, notes };
}

/**
 * The value of a choice that a person means by a word such as "public": the value itself, else the one that begins so
 * whatever the case (`PUBLIC_TO_EVERYONE`). undefined: none.
 */
export function valueMeant(choice: Choice, word: string): string | undefined {
  const values = choice.values.map((each) => each.value);
  return (
    values.find((value) => value === word) ?? values.find((value) => value.toLowerCase().startsWith(word.toLowerCase()))
  );
}
