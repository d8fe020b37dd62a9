/** What is wrong with a field of a request, from the issues of its schema. */
import type { z } from 'zod';
import { type Message, type MessageParams, type MessageRef, messagesOf } from './message.ts';

const PREFIX = 'field.';

/** What can be wrong with the value of a field. They end the message `field_invalid`. */
export const FIELD_PROBLEMS = {
  empty: 'must not be empty',
  too_short: 'must have at least {limit} {limit|character|characters}',
  too_long: 'must have at most {limit} {limit|character|characters}',
  not_text: 'must be well-formed text without U+0000',
  not_email: 'must be an email address',
  not_integer: 'must be an integer',
  not_milliseconds: 'must be an integer: the Unix time in milliseconds',
  not_moment: 'must be Unix milliseconds or an ISO 8601 time with an offset, such as 2026-08-01T09:30:00Z',
  below: 'must be at least {limit}',
  above: 'must be at most {limit}',
  too_few: 'must have at least {limit} {limit|entry|entries}',
  too_many: 'must have at most {limit} {limit|entry|entries}',
  not_time: 'must be a time of day such as 22:00',
  no_duration: '"from" and "to" must differ',
  below_minimum: 'must not be below the minimum',
  not_hashtag: 'must be a hashtag of letters, digits and underscores',
  unknown_zone: 'unknown time zone "{zone}"',
  unknown_placeholder: 'unknown placeholder "{placeholder}". Known: {allowed}',
  unknown_placeholders: 'unknown placeholders {placeholders}. Known: {allowed}',
  too_many_placeholders: 'must have at most {limit} {limit|placeholder|placeholders}',
  brace_open: 'write "{{" for a brace that starts no placeholder',
  not_string: 'must be a string',
  not_number: 'must be a number',
  not_boolean: 'must be true or false',
  not_list: 'must be an array',
  not_object: 'must be an object',
  not_one_of: 'must be one of: {allowed}',
  not_url: 'must be a URL',
  not_public: 'must be a public address with https',
  not_topic: 'must end in a topic of letters, digits, - and _, without a query',
  not_browser_keys: 'must be the keys of a subscription of a browser',
  not_needed: 'is not needed for this kind',
  not_id: 'must be a UUID',
  malformed: 'has a wrong format',
} as const;

export const fieldProblem = messagesOf(FIELD_PROBLEMS, {}, PREFIX);

/**
 * The problem of an issue that {@link problemOf} cannot derive from the schema, for its `message` or `error`. Issues carry
 * text only, so it is the code and the parameters as JSON.
 */
export function issue<Code extends keyof typeof FIELD_PROBLEMS>(
  ...given: Parameters<typeof fieldProblem<Code>>
): string {
  return issueOf(fieldProblem(...given));
}

/** The same for a message of {@link fieldProblem}. */
export function issueOf({ code, params }: Message): string {
  return JSON.stringify({ code, params });
}

/** The problem that an issue is about, without its path. */
export function problemOf(issue: z.core.$ZodIssue | undefined): Message {
  return (issue && (customOf(issue) ?? knownOf(issue))) ?? fieldProblem('malformed');
}

/** For `safeParse`: gives issues without a text of their own one that {@link problemIn} can read. */
export const coded = {
  error: (issue: z.core.$ZodRawIssue) => issueOf(knownOf(issue as z.core.$ZodIssue) ?? fieldProblem('malformed')),
};

/** The problem of an issue that was found with {@link coded}. Texts of schemas stay unchanged. */
export function problemIn(issue: z.core.$ZodIssue): Message | string {
  return customOf(issue) ?? issue.message;
}

function customOf({ message }: z.core.$ZodIssue): Message | null {
  if (!message.startsWith(`{"code":"${PREFIX}`)) return null;
  const { code, params } = JSON.parse(message) as MessageRef;
  const create = fieldProblem as (code: string, params: MessageParams) => Message;
  return create(code.slice(PREFIX.length), params);
}

const TYPES: Readonly<Record<string, Message>> = {
  string: fieldProblem('not_string'),
  number: fieldProblem('not_number'),
  int: fieldProblem('not_integer'),
  boolean: fieldProblem('not_boolean'),
  array: fieldProblem('not_list'),
  object: fieldProblem('not_object'),
  record: fieldProblem('not_object'),
};

const FORMATS: Readonly<Record<string, Message>> = {
  email: fieldProblem('not_email'),
  url: fieldProblem('not_url'),
  uuid: fieldProblem('not_id'),
};

function knownOf(issue: z.core.$ZodIssue): Message | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected];
    case 'invalid_format':
      return FORMATS[issue.format];
    case 'invalid_value':
      return fieldProblem('not_one_of', { allowed: issue.values.map(String).join(', ') });
    case 'too_small': {
      const limit = Number(issue.minimum);
      if (issue.origin === 'string') return limit === 1 ? fieldProblem('empty') : fieldProblem('too_short', { limit });
      return isCounted(issue.origin) ? fieldProblem('too_few', { limit }) : fieldProblem('below', { limit });
    }
    case 'too_big': {
      const limit = Number(issue.maximum);
      if (issue.origin === 'string') return fieldProblem('too_long', { limit });
      return isCounted(issue.origin) ? fieldProblem('too_many', { limit }) : fieldProblem('above', { limit });
    }
    default:
      return undefined;
  }
}

const isCounted = (origin: string) => origin === 'array' || origin === 'set' || origin === 'record';
