/** Reads values from parsed JSON. */

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

/** Returns the list at a path, or []. */
export function listAt(value: unknown, ...path: (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns the time (ISO 8601) at a path in ms since the epoch, or null. */
export function timeAt(value: unknown, ...path: (string | number)[]): number | null {
  const found = at(value, ...path);
  const time = typeof found === 'string' && /^\d{4}-\d\d-\d\d/.test(found) ? Date.parse(found) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** The end of the year 9999. */
export const MAX_TIME = Date.UTC(10_000, 0);

/** Returns the time (seconds since the epoch) at a path in ms, or null. */
export function secondsAt(value: unknown, ...path: (string | number)[]): number | null {
  const time = Math.round((numberAt(value, ...path) ?? 0) * 1000);
  return time > 0 && time < MAX_TIME ? time : null;
}

const MAX_INTEGER = 2 ** 31 - 1;

/** Rounds a number from a platform to a positive 32-bit integer; null for anything else. */
export function positiveInteger(value: number | null): number | null {
  const rounded = Math.round(value ?? 0);
  return rounded > 0 && rounded <= MAX_INTEGER ? rounded : null;
}
