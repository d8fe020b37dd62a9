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
  if (text.length <= SHORT && !MAY_CHANGE.test(text) && text.isWellFormed()) return JSON.parse(text) as Json;
  return JSON.parse(text, readValue as (key: string, value: unknown) => unknown) as Json;
}

/** A text that is not longer cannot be nested too deeply for functions that call themselves for each level. */
const SHORT = 4_096;

/**
 * Matches every text with an integer of 16 digits or more, which a double may not hold, and with an escaped U+0000 or
 * surrogate. For all other texts, parsing needs no function for each value, which takes several times as long.
 */
const MAY_CHANGE = /(?:^|[:,[\s-])\d{16}|\\u(?:0000|[dD][89a-fA-F])/;

function readValue(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context.source ?? ''))
    return context.source;
  return value;
}
