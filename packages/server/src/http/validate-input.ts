import type { z } from 'zod';
import { assertText } from '../errors/client-text.ts';
import { apiError } from '../errors/reelay-error.ts';
import { MAX_NAMES, unknownFields } from '../errors/unknown-names.ts';
import { fieldsAt } from '../lib/nearest.ts';
import { problemOf } from '../messages/fields.ts';

/**
 * Validates input against a schema.
 * @throws ReelayError `unknown_field` or `invalid_request`, naming the field; all unknown ones
 */
export function check(schema: z.ZodType, input: unknown): unknown {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const { issues } = result.error;
  // Each has at least one name. One more than is shown tells that there are more.
  const unknown = issues.filter((issue) => issue.code === 'unrecognized_keys').slice(0, MAX_NAMES + 1);
  if (unknown.length > 0)
    throw unknownFields(
      unknown.flatMap(({ keys }) => keys),
      unknown.flatMap(({ path }) => fieldsAt(schema, path)),
    );
  const [first] = issues;
  const name = first?.path.map(String).join('.') ?? '';
  if (name === '') throw apiError('body_not_object');
  if (valueAt(input, first?.path ?? []) === undefined) throw apiError('field_missing', { name });
  const problem = problemOf(first);
  throw apiError('field_invalid', { name, problem }, { extras: { field: { path: name, problem } } });
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/**
 * Returns the known parameters of a query; a repeated one becomes an array. Unknown parameters are not decoded.
 * @param search the query string without the question mark
 * @throws ReelayError `invalid_request` for invalid UTF-8 or U+0000 in a known parameter
 */
export function readQuery(search: string, known: readonly string[]): Record<string, string | string[]> {
  const found = new Map<string, string[]>();
  for (const pair of search.split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name === null || !known.includes(name)) continue;
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (value === null) throw apiError('parameter_not_utf8', { name });
    assertText(value);
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return Object.fromEntries(
    [...found].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
