/** Settings that the owner of an account has to choose before posting. */

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

/** An input that the user gives before the consent. */
export interface Ask {
  name: 'service' | 'identifier' | 'login';
  label: string;
  required: boolean;
  /** Allowed values. Absent: any. */
  values?: readonly ChoiceValue[];
}

/** Lists the values of a choice. @param labels labels by value, in the order shown */
export function valuesOf(labels: Readonly<Record<string, string>>): readonly ChoiceValue[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
