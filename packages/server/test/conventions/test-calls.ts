/** Finds the calls of `test`, `it` and `describe` in a file. */

/** A part of a file: offsets of its first character and of the one after it. */
interface Extent {
  from: number;
  to: number;
}

interface TestCall extends Extent {
  /** Offset of the arguments that begin with the title. */
  argumentsFrom: number;
}

const TEST = /(?<![.\w$]|\bawait )(?:test|it)\b(?=[\s.(])/g;
const GROUP = /(?<![.\w$])(?:test\.)?describe\b(?=[\s.(])/g;
const MODIFIER = /^(?:each|for|runIf|skipIf|concurrent|sequential|only|skip|todo|fixme|fails?)$/;

/** The calls of `test` and `it`, also with modifiers, such as `test.each(table)('title', …)`. */
export const testsOf = (bare: string): TestCall[] => callsOf(bare, TEST);

/** The calls of `describe` and `test.describe`. */
export const groupsOf = (bare: string): TestCall[] => callsOf(bare, GROUP);

function callsOf(bare: string, pattern: RegExp): TestCall[] {
  return [...bare.matchAll(pattern)].flatMap(({ 0: name, index }) => {
    const found = lastArguments(bare, index + name.length);
    return found ? [{ from: index, to: found.to, argumentsFrom: found.from }] : [];
  });
}

/** The last arguments of a chain such as `.each(table)('title', …)`; null if it is no test. */
function lastArguments(bare: string, start: number): Extent | null {
  let at = start;
  let last: Extent | null = null;
  for (;;) {
    const [space = '', name] = /^\s*(?:\.\s*(\w+))?/.exec(bare.slice(at, at + 200)) ?? [];
    if (name && !MODIFIER.test(name)) return null;
    if (name) {
      at += space.length;
      continue;
    }
    const next = at + space.length;
    if (!'(<`'.includes(bare[next] ?? ' ')) return last;
    const open = bare[next] === '<' ? endOfTypes(bare, next) : next;
    const to = bare[open] === '`' ? bare.indexOf('`', open + 1) + 1 : closingOf(bare, open);
    last = { from: next, to };
    at = to;
  }
}

/** The offset after type arguments, which may contain function types. */
function endOfTypes(bare: string, open: number): number {
  let depth = 0;
  for (let at = open; at < bare.length; at++) {
    if (bare[at] === '<') depth++;
    else if (bare[at] === '>' && bare[at - 1] !== '=' && --depth === 0) return at + 1;
  }
  return bare.length;
}

/** The offset after the bracket that closes the one at an offset. */
export function closingOf(bare: string, open: number): number {
  let depth = 0;
  for (let at = open; at < bare.length; at++) {
    if ('([{'.includes(bare[at] ?? '')) depth++;
    else if (')]}'.includes(bare[at] ?? '') && --depth === 0) return at + 1;
  }
  return bare.length;
}
