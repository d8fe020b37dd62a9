/** The state of a post form: values → visible fields, problems, and the options to send. Pure. */
import type { FormText, PostForm, PostFormField } from '@reelay/sdk';
import type { OptionValue, OptionValues } from '../../../drafts/draft.ts';

export type FieldProblem =
  | { kind: 'missing' }
  | { kind: 'refused'; reason: FormText }
  | { kind: 'tooLong' | 'tooMany'; limit: number }
  | { kind: 'pattern' };

export interface FieldState {
  field: PostFormField;
  /** null: empty. An unavailable field is empty. */
  value: OptionValue | null;
  /** Values that cannot be selected now. */
  blocked: { value: string | boolean; reason: FormText }[];
  notes: FormText[];
  problem: FieldProblem | null;
}

/** The visible fields, in the order of the form. */
export function fieldStates(form: PostForm, values: OptionValues): FieldState[] {
  const { isShown, read, matches } = createReader(form, values);
  return form.fields.filter(isShown).map((field) => {
    const value = read(field);
    const blocked = (field.blocked ?? []).filter(({ when }) => matches(when));
    const notes = (field.notes ?? []).filter(({ when }) => matches(when)).map(({ text }) => text);
    const isOn = (name: string) => form.fields.some((each) => each.name === name && read(each) === true);
    return { field, value, blocked, notes, problem: problemOf(field, value, { blocked, isOn }) };
  });
}

/** The options to send for the account. Includes values that have a problem. */
export function optionsOf(form: PostForm, values: OptionValues): Record<string, OptionValue> {
  const options = fieldStates(form, values).flatMap(({ field, value }): [string, OptionValue][] => {
    const { name, type, pageOnly, inverted, always } = field;
    if (pageOnly) return [];
    if (type === 'flag') {
      if (isQuestion(field)) return typeof value === 'boolean' ? [[name, value !== inverted]] : [];
      return value === true || always ? [[name, (value === true) !== inverted]] : [];
    }
    return value === null ? [] : [[name, typeof value === 'string' && type === 'text' ? value.trim() : value]];
  });
  return Object.fromEntries(options);
}

/** The declaration that the user makes by posting; null without one. */
export function declarationOf(form: PostForm, values: OptionValues): FormText | null {
  const { matches } = createReader(form, values);
  return form.declarations?.findLast(({ when }) => matches(when))?.text ?? null;
}

/** Number of set options, without the questions that every post asks. */
export function optionCount(states: readonly FieldState[]): number {
  return states.filter(({ field, value }) => !field.pageOnly && !field.ask && value !== null && value !== false).length;
}

/** A required switch: the user must choose yes or no. */
function isQuestion({ type, values }: PostFormField): boolean {
  return type === 'flag' && values !== undefined;
}

/** Whether all answers to a required question are shown beside each other. */
export function asksInRow(field: PostFormField): boolean {
  return isQuestion(field) || (field.ask && field.inRow === true);
}

/** Copies answers of another account on the platform, if this account allows them. Existing answers are kept. */
export function copiedAnswers(form: PostForm, values: OptionValues, from: OptionValues): OptionValues {
  const missing = fieldStates(form, values).filter(({ problem }) => problem?.kind === 'missing');
  const copied = { ...values };
  for (const { field, blocked } of missing) {
    const answer = readValue(field, from[field.name]);
    if (answer !== null && blocked.every(({ value }) => value !== answer)) copied[field.name] = answer;
  }
  return copied;
}

function createReader({ fields }: PostForm, values: OptionValues) {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const shown = new Map<string, boolean>();
  const isShown = (field: PostFormField): boolean => {
    const known = shown.get(field.name);
    if (known !== undefined) return known;
    // Stops at a cycle of conditions.
    shown.set(field.name, true);
    const result = matches(field.when);
    shown.set(field.name, result);
    return result;
  };
  const read = (field: PostFormField): OptionValue | null =>
    isShown(field) && !field.unavailable ? readValue(field, values[field.name]) : null;
  const matches = (when: PostFormField['when'] = {}): boolean =>
    Object.entries(when).every(([name, wanted]) => {
      const field = byName.get(name);
      return field !== undefined && (read(field) ?? (field.type === 'flag' ? false : '')) === wanted;
    });
  return { isShown, read, matches };
}

/** null if the stored value is empty, has another type, or is no longer offered. */
function readValue({ type, values }: PostFormField, stored: OptionValue | undefined): OptionValue | null {
  const isOffered = (each: string) => values?.some(({ value }) => value === each) ?? false;
  if (type === 'flag') return typeof stored === 'boolean' ? stored : null;
  if (type === 'text') return typeof stored === 'string' && stored.trim() !== '' ? stored : null;
  if (type === 'choice') return typeof stored === 'string' && isOffered(stored) ? stored : null;
  if (!Array.isArray(stored)) return null;
  const items = type === 'choices' ? stored.filter(isOffered) : stored.filter((each) => each.trim() !== '');
  return items.length > 0 ? items : null;
}

interface Surroundings {
  blocked: FieldState['blocked'];
  isOn(name: string): boolean;
}

function problemOf(field: PostFormField, value: OptionValue | null, { blocked, isOn }: Surroundings) {
  if (value === null) return field.ask && !field.unavailable ? ({ kind: 'missing' } as const) : null;
  const refusal = blocked.find((each) => each.value === value);
  if (refusal) return { kind: 'refused', reason: refusal.reason } as const;
  if (value === true && field.oneOf && !field.oneOf.fields.some(isOn))
    return { kind: 'refused', reason: field.oneOf.reason } as const;
  return typeof value === 'boolean' ? null : textProblem(field, typeof value === 'string' ? [value.trim()] : value);
}

function textProblem({ type, maxLength, maxItems, pattern }: PostFormField, texts: readonly string[]) {
  if (maxItems !== undefined && texts.length > maxItems) return { kind: 'tooMany', limit: maxItems } as const;
  if (type === 'choice' || type === 'choices') return null;
  if (maxLength !== undefined && texts.some(({ length }) => length > maxLength))
    return { kind: 'tooLong', limit: maxLength } as const;
  if (pattern !== undefined && !texts.every((text) => new RegExp(pattern, 'u').test(text)))
    return { kind: 'pattern' } as const;
  return null;
}
