/** Figures of a call path, from the call stacks of its statements. Pure. */

/** One call stack, as files from the outermost call to the innermost one. */
export type Stack = readonly string[];

export interface Stop {
  file: string;
  /** Whether the file lies above its caller: the call is a callback. */
  climbs: boolean;
  /** Whether the path had entered and left this file before. */
  returns: boolean;
}

export interface CallPath {
  /** In the order in which they are entered first. */
  files: string[];
  /** Files whose own calls are statements only: the path ends there. */
  ends: string[];
  stops: Stop[];
  climbs: number;
  returns: number;
}

/**
 * Follows the stacks in order. A stop is a call from one file into another.
 * @param floorOf the length of the longest chain of imports below a file
 */
export function followStacks(stacks: readonly Stack[], floorOf: (file: string) => number): CallPath {
  const merged = stacks.map((stack) => stack.filter((file, index) => file !== stack[index - 1]));
  const passed = new Set(merged.flatMap((stack) => stack.slice(0, -1)));
  const files = new Set<string>();
  const stops: Stop[] = [];
  let previous: Stack = [];
  for (const stack of merged) {
    const differs = stack.findIndex((file, index) => file !== previous[index]);
    for (const [index, file] of differs < 0 ? [] : [...stack.entries()].slice(differs)) {
      const caller = stack[index - 1];
      const climbs = caller !== undefined && floorOf(file) > floorOf(caller);
      stops.push({ file, climbs, returns: files.has(file) && passed.has(file) });
      files.add(file);
    }
    previous = stack;
  }
  return {
    files: [...files],
    ends: [...files].filter((file) => !passed.has(file)),
    stops,
    climbs: stops.filter(({ climbs }) => climbs).length,
    returns: stops.filter(({ returns }) => returns).length,
  };
}

/** Returns the floor of every file. @param importsOf the files that a file imports, without type imports */
export function createFloors(importsOf: (file: string) => readonly string[]): (file: string) => number {
  const known = new Map<string, number>();
  const floorOf = (file: string): number => {
    const floor = known.get(file);
    if (floor !== undefined) return floor;
    known.set(file, 0);
    const found = 1 + Math.max(0, ...importsOf(file).map(floorOf));
    known.set(file, found);
    return found;
  };
  return floorOf;
}
