import type { Json } from '../../src/json.ts';

/** Parses JSON and keeps integers beyond 2^53 as text: several platforms send 64-bit ids as bare numbers. */
export function parseJson(text: string): Json {
  const reviver = (_key: string, value: unknown, context: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context.source ?? '')
      ? context.source
      : value;
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown) as Json;
}
