/** JSON parsing without loss of 64-bit integers, and typed access by path. */
import { storable } from '../../text.ts';
import type { Json } from '../contract.ts';

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

/** Returns the value at a path of property names, or undefined. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here: unknown = value;
  for (const key of path) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}

/** Returns the string at a path, or "". Numbers become strings. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : '';
}

/** Returns the number at a path, or null. Numeric strings are converted. */
export function numberAt(value: unknown, ...path: (string | number)[]): number | null {
  const found = at(value, ...path);
  if (typeof found === 'number') return found;
  return typeof found === 'string' && /^-?\d+(\.\d+)?$/.test(found) ? Number(found) : null;
}
