/** How people fill in the options of a post, as data. Pages are generated from it; types and limits are in the schema. */

/** A text in every language of the dashboard. It may contain links: `[label](https://…)`. */
export interface FormText {
  en: string;
  de: string;
}

/** Values of other fields that must all match. An empty field is false, or "" if it is not a switch. */
export type FormCondition = Readonly<Record<string, string | boolean>>;

export interface FormField {
  label: FormText;
  hint?: FormText;
  /** Labels of the values, in the order shown; `true` and `false` for an option that is a boolean. */
  values?: Readonly<Record<string, FormText>>;
  /** Must be answered for every post. Nothing is preselected, not even the account's setting. */
  ask?: boolean;
  /** All values are shown beside each other, so that one click answers. Absent: in a list that opens. */
  inRow?: boolean;
  /** The page asks for the opposite: if it is on, the option is false. */
  inverted?: boolean;
  /** Sent even if it is off, because the account's setting would apply otherwise. */
  always?: boolean;
  /** The field only controls others. It is not an option of the post. */
  pageOnly?: boolean;
  /** The account's setting with the possible values. */
  choice?: string;
  /** Can be used only if this setting of the account may have this value. */
  needs?: { choice: string; value: string; reason: FormText };
  /** Shown and sent only then. */
  when?: FormCondition;
  /** Values that cannot be selected then. */
  blocked?: readonly { value: string | boolean; when: FormCondition; reason: FormText }[];
  /** Shown below the field then. */
  notes?: readonly { when: FormCondition; text: FormText }[];
  /** If it is on, at least one of these must be on. */
  oneOf?: { fields: readonly string[]; reason: FormText };
}

/** How the owner of an account sees one of its settings. */
export interface SettingText {
  label: FormText;
  /** By value. Absent: the labels that the account's values have. */
  values?: Readonly<Record<string, FormText>>;
}

export interface PostForm {
  /** By the name of the option, in the order shown. */
  fields: Readonly<Record<string, FormField>>;
  /** The settings of an account, by the name of the choice. */
  settings?: Readonly<Record<string, SettingText>>;
  /** Options that the page sets in another way, or not at all. */
  omitted?: readonly string[];
  /** What the user declares by posting. The last one that applies is shown. */
  declarations?: readonly { text: FormText; when?: FormCondition }[];
  /** Shown with the form. */
  notice?: FormText;
}
