/** Compares the cases that two campaigns ran. */

/** The part of a name that identifies a case: without seeds, random ids, times and sizes of a draw. */
export function caseId(name: string): string {
  return name.replace(/, seed \d+/g, '').replace(/\d{6,}/g, '#');
}

/**
 * @param full names of the cases of a full run, one a line @param slices names of those of all slices
 * @returns the number of different cases of the full run, and the differences, sorted
 */
export function differences(full: string, slices: string): { cases: number; missing: string[]; more: string[] } {
  const idsIn = (text: string) => new Set(text.split('\n').filter(Boolean).map(caseId));
  const [all, found] = [idsIn(full), idsIn(slices)];
  return {
    cases: all.size,
    missing: [...all.difference(found)].sort(),
    more: [...found.difference(all)].sort(),
  };
}
