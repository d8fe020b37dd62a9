/** The form for one account's options of a post: the connector's schema and its labels, limited to this account. Pure. */
import { z } from 'zod';
import { valuesOf } from '../accounts/settings/account-settings.ts';
import type { Connector, FormField, FormText, PostForm } from '../connectors/contract.ts';
import type { PostAccount } from './post-store.ts';

export type FieldType = 'flag' | 'text' | 'texts' | 'choice' | 'choices';

export interface ShownField
  extends Pick<FormField, 'when' | 'blocked' | 'notes' | 'oneOf' | 'hint' | 'label' | 'inRow'> {
  name: string;
  type: FieldType;
  /** Must be answered for every post; nothing is preselected. */
  ask: boolean;
  inverted: boolean;
  always: boolean;
  pageOnly: boolean;
  values?: { value: string; label: FormText }[];
  /** The label of the account's setting, which applies if the field stays empty. */
  preset?: string;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  /** Why this account cannot use the field. */
  unavailable?: FormText;
}

export interface ShownForm extends Pick<PostForm, 'declarations' | 'notice'> {
  fields: ShownField[];
}

type Described = Pick<Connector, 'options' | 'form' | 'choices'>;
type FormAccount = Pick<PostAccount, 'choices' | 'choiceValues'>;

interface Property {
  type?: string;
  enum?: readonly string[];
  items?: Property;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
}

/** The form for this account; without fields if the connector has no options. */
export function formFor(connector: Described | undefined, account: FormAccount): ShownForm {
  const { form } = connector ?? {};
  if (!connector || !form) return { fields: [] };
  const properties = propertiesOf(connector);
  const fields = Object.entries(form.fields).map(([name, field]) =>
    showField({ connector, account, property: properties[name] ?? { type: 'boolean' } }, name, field),
  );
  return {
    fields,
    ...(form.declarations ? { declarations: form.declarations } : {}),
    ...(form.notice ? { notice: form.notice } : {}),
  };
}

/** The options of a connector as JSON Schema, by name. */
export function propertiesOf({ options }: Pick<Described, 'options'>): Record<string, Property> {
  return options ? ((z.toJSONSchema(options, { io: 'input' }).properties ?? {}) as Record<string, Property>) : {};
}

interface FieldSource {
  connector: Described;
  account: FormAccount;
  property: Property;
}

function showField({ connector, account, property }: FieldSource, name: string, field: FormField): ShownField {
  const { label, hint, when, blocked, notes, oneOf, needs, ask = false, inverted = false } = field;
  const values = fieldValues({ connector, account, property }, name, field);
  const setting = connector.choices.find((choice) => choice.name === field.choice);
  const made = setting && account.choices[setting.name];
  const preset = setting && valuesOf(setting, account.choiceValues).find(({ value }) => value === made)?.label;
  const items = property.type === 'array' ? property.items : property;
  return {
    name,
    type: typeOf(property, values !== undefined),
    label,
    // A required setting that the account lacks has to be chosen for the post.
    ask: ask || (setting?.required === true && made === undefined),
    inverted,
    always: field.always ?? false,
    pageOnly: field.pageOnly ?? false,
    ...(field.inRow && { inRow: true }),
    ...(hint && { hint }),
    ...(values && { values }),
    ...(preset !== undefined && !ask && { preset }),
    ...(items?.maxLength !== undefined && { maxLength: items.maxLength }),
    ...(property.maxItems !== undefined && { maxItems: property.maxItems }),
    ...(items?.pattern !== undefined && { pattern: items.pattern }),
    ...(when && { when }),
    ...(blocked && { blocked }),
    ...(notes && { notes }),
    ...(oneOf && { oneOf }),
    ...(needs && !mayHave(connector, account, needs) && { unavailable: needs.reason }),
  };
}

function mayHave({ choices }: Described, { choiceValues }: FormAccount, needs: NonNullable<FormField['needs']>) {
  const setting = choices.find(({ name }) => name === needs.choice);
  return setting === undefined || valuesOf(setting, choiceValues).some(({ value }) => value === needs.value);
}

/** The values to select from; undefined if any text is allowed or it is a switch. */
function fieldValues({ connector, account, property }: FieldSource, name: string, field: FormField) {
  const setting = connector.choices.find((choice) => choice.name === field.choice);
  const labelOf = (value: string, label: string) => field.values?.[value] ?? { en: label, de: label };
  if (setting)
    return valuesOf(setting, account.choiceValues)
      .filter(({ value }) => connector.options?.safeParse({ [name]: value }).success)
      .map(({ value, label }) => ({ value, label: labelOf(value, label) }));
  const known = Object.keys(field.values ?? {});
  const allowed = (property.type === 'array' ? property.items : property)?.enum ?? known;
  if (allowed.length === 0) return undefined;
  // Integer-like keys of an object come first, regardless of the order in the source.
  const ordered = [...known.filter((value) => allowed.includes(value)), ...allowed.filter((v) => !known.includes(v))];
  return ordered.map((value) => ({ value, label: labelOf(value, value) }));
}

function typeOf({ type }: Property, hasValues: boolean): FieldType {
  if (type === 'boolean') return 'flag';
  if (type === 'array') return hasValues ? 'choices' : 'texts';
  return hasValues ? 'choice' : 'text';
}
