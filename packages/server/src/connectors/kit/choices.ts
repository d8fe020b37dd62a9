/** What an account's owner has to choose before anything can be posted. */

/** Something that can be chosen, and what people call it. */
export interface ChoiceValue {
  value: string;
  label: string;
}

/** A choice that the platform wants the account's owner to make before anything is posted. */
export interface Choice {
  name: string;
  label: string;
  /** What can be chosen when nothing is known of the account; `identify` may narrow it. */
  values: readonly ChoiceValue[];
  required: boolean;
}

/** Something that the user says before consent. */
export interface Ask {
  name: 'service' | 'identifier' | 'login';
  label: string;
  required: boolean;
  /** What can be said; absent: anything. */
  values?: readonly ChoiceValue[];
}
