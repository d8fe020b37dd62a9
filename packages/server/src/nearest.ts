/** Finds the name that was probably meant. */

/** Names longer than this are not compared. */
const MAX_LENGTH = 40;

/**
 * Returns the name that differs least: by case and separators only, by one letter, or for long names by two. null if none
 * is that near.
 */
export function nearest(given: string, names: readonly string[]): string | null {
  if (given.length > MAX_LENGTH) return null;
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = plain(given);
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(wanted, plain(name)) }))
    .sort((one, other) => one.distance - other.distance);
  return best && best.distance <= Math.min(2, Math.floor(wanted.length / 4)) ? best.name : null;
}

/** Levenshtein distance. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, char] of [...other].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === char ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
