/** Time zones to choose from. Pure. */

/**
 * The names in alphabetical order, without "UTC", which stands for the browser's zone.
 * @param current the stored zone, which the browser may not know
 */
export function zoneChoices(supported: readonly string[], current: string): string[] {
  return [...new Set([...supported, current])].filter((zone) => zone !== 'UTC').sort();
}
