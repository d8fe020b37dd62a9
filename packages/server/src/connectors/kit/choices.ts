/** Settings that the owner of an account has to choose before posting, and what is asked to connect an account. */
import type { FormText } from './post-form.ts';

/** A selectable value and its label. */
export interface ChoiceValue {
  value: string;
  label: string;
}

/** A setting that a platform requires before posting. */
export interface Choice {
  name: string;
  label: string;
  /** Values available before the account is known; `identify` may narrow them. */
  values: readonly ChoiceValue[];
  required: boolean;
}

/** An input that the user gives to connect an account. */
interface ConnectInput {
  title: FormText;
  /** What to enter, or where to find it. */
  hint?: FormText;
  required: boolean;
}

interface AskedValue {
  value: string;
  title: FormText;
  /** The application that it needs. It is not offered while only other values have theirs. */
  app?: string;
}

/** An input before the consent. */
export interface Ask extends ConnectInput {
  name: 'service' | 'identifier' | 'login';
  /** Allowed values, the default first. Absent: any. */
  values?: readonly AskedValue[];
}

/** An input to log in. */
export interface CredentialField extends ConnectInput {
  name: 'service' | 'identifier' | 'secret';
  secret: boolean;
}

/** Lists the values of a choice. @param labels labels by value, in the order shown */
export function valuesOf(labels: Readonly<Record<string, string>>): readonly ChoiceValue[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
