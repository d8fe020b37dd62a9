/** Finds the name that was probably meant. Every error for an unknown name takes its suggestion from here. */
import { z } from 'zod';

/** Names longer than this are not compared. */
const MAX_LENGTH = 40;

/**
 * Returns the name that differs least: by case and separators only, by one letter or two swapped ones, or for long
 * names by two such changes. null if none is that near.
 */
export function nearest(given: string, names: readonly string[]): string | null {
  if (given.length > MAX_LENGTH) return null;
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = plain(given);
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(wanted, plain(name)) }))
    .sort((one, other) => one.distance - other.distance);
  return best && best.distance <= allowedFor(wanted.length) ? best.name : null;
}

/** Two changes of a short name make another one of it. */
function allowedFor(length: number): number {
  if (length < 3) return 0;
  return length < 8 ? 1 : 2;
}

/** Optimal string alignment distance: Levenshtein's, and two swapped neighbors count once. */
function distanceOf(one: string, other: string): number {
  let above: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const changed = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      const isSwap = i > 0 && j > 0 && one[i] === other[j - 1] && one[i - 1] === other[j];
      const swapped = isSwap ? (above[j - 1] ?? 0) + 1 : changed;
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, changed, swapped));
    }
    above = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Names of the fields of the object at a path of a schema; none if it is not a plain object. */
export function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const part of [...path, null]) {
    while (at instanceof z.ZodOptional || at instanceof z.ZodNullable) at = at.unwrap();
    if (!(at instanceof z.ZodObject)) return [];
    if (part === null) return Object.keys(at.shape);
    at = at.shape[part as string];
  }
  return [];
}
