import { storable } from '../../text.ts';
import type { Json } from '../contract.ts';

/**
 * Parses JSON and keeps integers that a double cannot hold as text, digit for digit: several platforms send 64-bit ids
 * as bare numbers. Texts lose what no database stores: U+0000 and lone surrogates.
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

/** The value at a path of property names, or undefined where the path leads nowhere. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here: unknown = value;
  for (const key of path) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}

/** The text at a path, or "" where there is none. Numbers come as their digits. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : '';
}

/** The number at a path, or null. Digits in text count. */
export function numberAt(value: unknown, ...path: (string | number)[]): number | null {
  const found = at(value, ...path);
  if (typeof found === 'number') return found;
  return typeof found === 'string' && /^-?\d+(\.\d+)?$/.test(found) ? Number(found) : null;
}
