/** Converts the options of a rule to form fields, and the fields to a request. Pure. */
import { type FieldProblem, ReelayApiError, type Rule, type RuleOptions } from '@reelay/sdk';

/** The generated type of the record has no value type. */
export type ShownOptions = Omit<Rule['options'], 'privacy'> & { privacy: Record<string, string> };

/** Numbers are "" while their field is empty. */
export interface OptionsForm {
  delayMinutes: number | '';
  jitterMinutes: number | '';
  isQuiet: boolean;
  quietFrom: string;
  quietTo: string;
  quietZone: string;
  maxPerDay: number | '';
  zone: string;
  /** By account; "" or absent: the setting of the account. */
  privacy: Readonly<Record<string, string>>;
  template: string;
  append: string;
  removeMentions: boolean;
  removeHashtags: boolean;
  contains: string[];
  excludes: string[];
  hashtags: string[];
  minSeconds: number | '';
  maxSeconds: number | '';
  fit: '' | NonNullable<RuleOptions['fit']>;
}

const DEFAULT_ZONE = 'UTC';
const DEFAULT_TEMPLATE = '{caption}';
const QUIET = { from: '22:00', to: '07:00' } as const;

/** @param zone of the user, offered for quiet hours that are not set yet unless the rule has a zone */
export function formOf(options: ShownOptions, zone: string): OptionsForm {
  const { quietHours, caption, filters } = options;
  return {
    delayMinutes: options.delayMinutes,
    jitterMinutes: options.jitterMinutes,
    isQuiet: quietHours !== null,
    quietFrom: quietHours?.from ?? QUIET.from,
    quietTo: quietHours?.to ?? QUIET.to,
    quietZone: quietHours?.zone ?? (options.zone === DEFAULT_ZONE ? zone : options.zone),
    maxPerDay: options.maxPerDay ?? '',
    zone: options.zone,
    privacy: options.privacy,
    template: caption.template,
    append: caption.append,
    removeMentions: caption.removeMentions,
    removeHashtags: caption.removeHashtags,
    contains: filters.contains,
    excludes: filters.excludes,
    hashtags: filters.hashtags,
    minSeconds: filters.minSeconds ?? '',
    maxSeconds: filters.maxSeconds ?? '',
    fit: options.fit ?? '',
  };
}

const orNull = <Value>(value: Value | '') => (value === '' ? null : value);

/** All options of the form, without the back catalog. null is the default. */
export function optionsOf(form: OptionsForm): RuleOptions {
  const privacy = Object.fromEntries(Object.entries(form.privacy).filter(([, value]) => value !== ''));
  const caption = {
    template: form.template,
    append: form.append,
    removeMentions: form.removeMentions,
    removeHashtags: form.removeHashtags,
  };
  const filters = {
    contains: form.contains,
    excludes: form.excludes,
    hashtags: form.hashtags,
    minSeconds: orNull(form.minSeconds),
    maxSeconds: orNull(form.maxSeconds),
  };
  const isUnchanged =
    form.template === DEFAULT_TEMPLATE && form.append === '' && !form.removeMentions && !form.removeHashtags;
  const filtersAll = Object.values(filters).every(
    (value) => value === null || (Array.isArray(value) && value.length === 0),
  );
  return {
    delayMinutes: form.delayMinutes === 0 ? null : orNull(form.delayMinutes),
    jitterMinutes: form.jitterMinutes === 0 ? null : orNull(form.jitterMinutes),
    quietHours: form.isQuiet ? { from: form.quietFrom, to: form.quietTo, zone: form.quietZone } : null,
    maxPerDay: orNull(form.maxPerDay),
    zone: form.zone === DEFAULT_ZONE ? null : form.zone,
    privacy: Object.keys(privacy).length === 0 ? null : privacy,
    caption: isUnchanged ? null : caption,
    filters: filtersAll ? null : filters,
    fit: orNull(form.fit),
  };
}

/** The options that differ from the stored ones, as `PATCH /repost/{id}` takes them. null resets one. */
export function changesOf(stored: ShownOptions, form: OptionsForm): RuleOptions {
  const before = optionsOf(formOf(stored, DEFAULT_ZONE));
  const changed = Object.entries(optionsOf(form)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof RuleOptions]),
  );
  return Object.fromEntries(changed);
}

export const hasChanges = (changes: RuleOptions) => Object.keys(changes).length > 0;

/** Path of the refused field below `options`; null if the error names none. */
export function refusedField(error: Error | null): FieldProblem | null {
  const field = error instanceof ReelayApiError ? error.field : null;
  if (!field?.path.startsWith('options.')) return null;
  return { ...field, path: field.path.slice('options.'.length) };
}

/** The problem of a field, or of a part of it such as an entry of a list. */
export function problemAt(refused: FieldProblem | null, path: string): string | null {
  return refused && (refused.path === path || refused.path.startsWith(`${path}.`)) ? refused.problem : null;
}
