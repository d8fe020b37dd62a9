/** Compares the cases that two campaigns ran. */

/**
 * The part of a name that identifies a case: without seeds, random ids, times and sizes of a draw. What a run measured is
 * left out too: the statements that were under way when a database failed.
 */
export function caseId(name: string): string {
  return name
    .replace(/, seed \d+/g, '')
    .replace(/> \d+ of \d+ cases/g, '> cases')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{15,}/g, '#')
    .replace(/\/(?=[\w-]*[A-Z\d])[\w-]{20,}…?/g, '/#')
    .replace(/(database faults > [^:]+: [^:]+): .*$/, '$1')
    .replace(/\d{6,}/g, '#');
}

/** Cases of one campaign. */
interface Cases {
  ids: Set<string>;
  /** Positions that ran, and the sizes of the lists, by name of the draw. */
  draws: Map<string, { positions: Set<number>; sizes: number[] }>;
}

function casesIn(text: string): Cases {
  const cases: Cases = { ids: new Set(), draws: new Map() };
  for (const line of text.split('\n').filter(Boolean)) {
    const [, name, position, size] = /^draw "(.*)": (\d+) of (\d+)$/.exec(line) ?? [];
    if (name === undefined) {
      cases.ids.add(caseId(line));
      continue;
    }
    const draw = cases.draws.get(name) ?? { positions: new Set(), sizes: [] };
    draw.positions.add(Number(position));
    draw.sizes.push(Number(size));
    cases.draws.set(name, draw);
  }
  return cases;
}

/**
 * Lists that a run measures first have different lengths. Positions that every run has must be there.
 * @param full names of the cases of a full run, one a line @param slices names of those of all slices
 * @returns the number of different cases of the full run, and the differences, sorted
 */
export function differences(full: string, slices: string): { cases: number; missing: string[]; more: string[] } {
  const [all, found] = [casesIn(full), casesIn(slices)];
  const positions = [...all.draws].flatMap(([name, draw]) => {
    const other = found.draws.get(name) ?? { positions: new Set<number>(), sizes: draw.sizes };
    const smallest = Math.min(...draw.sizes, ...other.sizes);
    const missing = [...draw.positions].filter((each) => each <= smallest && !other.positions.has(each));
    return missing.map((each) => `draw "${name}": ${each}`);
  });
  const drawn = [...all.draws.values()].reduce((sum, draw) => sum + draw.positions.size, 0);
  return {
    cases: all.ids.size + drawn,
    missing: [...all.ids.difference(found.ids), ...positions].sort(),
    more: [...found.ids.difference(all.ids)].sort(),
  };
}
