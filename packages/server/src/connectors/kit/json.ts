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
