/** JSON values and their parser. */
import { storable } from '../lib/text.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/**
 * Parses JSON. Integers that a double cannot hold become strings with the same digits, because several platforms send
 * 64-bit ids as numbers. Strings lose characters that databases cannot store: U+0000 and lone surrogates.
 * @throws SyntaxError
 */
export function parseJson(text: string): Json {
  return JSON.parse(text, readValue as (key: string, value: unknown) => unknown) as Json;
}

function readValue(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context.source ?? ''))
    return context.source;
  return value;
}
