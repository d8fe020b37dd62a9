import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Arrow, arrowId, arrowsAlong, arrowsOf, findPath, refusalOf } from '../src/pages/reposts/picture/graph.ts';
import { layOut, NODE } from '../src/pages/reposts/picture/layout.ts';
import { parsePositions } from '../src/pages/reposts/picture/positions.ts';

const arrow = (from: string, to: string): Arrow => ({ ruleId: `${from}${to}`, from, to });
const chain = [arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'd')];
const NAMES = Array.from({ length: 12 }, (_, index) => `n${index}`);

const anyArrows = fc.array(
  fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES)).map(([from, to]) => arrow(from, to)),
  { maxLength: 40 },
);
/** Arrows only lead to later names, so there is no loop. */
const acyclic = anyArrows.map((arrows) => arrows.filter(({ from, to }) => NAMES.indexOf(from) < NAMES.indexOf(to)));

/** Everything that can be reached, by repeated expansion. */
function reached(arrows: readonly Arrow[], start: string): Set<string> {
  const found = new Set([start]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { from, to } of arrows) if (found.has(from)) found.add(to);
  }
  return found;
}

describe('an arrow', () => {
  test('is refused to itself, twice, and in a loop', () => {
    expect(refusalOf(chain, 'a', 'a')).toEqual({ kind: 'self' });
    expect(refusalOf(chain, 'a', 'b')).toEqual({ kind: 'exists', ruleId: 'ab' });
    expect(refusalOf(chain, 'c', 'a')).toEqual({ kind: 'loop', path: ['c', 'a', 'b', 'c'] });
    expect(refusalOf(chain, 'a', 'd')).toBeNull();
  });

  test('is named by the shortest loop', () => {
    const arrows = [...chain, arrow('a', 'c')];
    expect(refusalOf(arrows, 'd', 'a')).toEqual({ kind: 'loop', path: ['d', 'a', 'c', 'd'] });
    expect([...arrowsAlong(arrows, ['d', 'a', 'c', 'd'])]).toEqual(['cd d', 'ac c']);
  });

  test('exists for each destination of a rule', () => {
    const account = (id: string) => ({
      id,
      platform: 'p',
      username: id,
      usernameImage: '',
      status: 'CONNECTED',
      displayName: '',
    });
    const arrows = arrowsOf([{ id: 'r', from: account('a'), to: [account('b'), account('c')] }]);
    expect(arrows.map(arrowId)).toEqual(['r b', 'r c']);
  });

  test('is refused exactly if the rules would form a loop', () => {
    fc.assert(
      fc.property(acyclic, fc.constantFrom(...NAMES), fc.constantFrom(...NAMES), (arrows, from, to) => {
        const refusal = refusalOf(arrows, from, to);
        const exists = arrows.some((each) => each.from === from && each.to === to);
        const loops = reached(arrows, to).has(from);
        const expected = from === to ? 'self' : exists ? 'exists' : loops ? 'loop' : undefined;
        expect(refusal?.kind).toBe(expected);
        if (refusal?.kind !== 'loop') return;
        const { path } = refusal;
        expect([path[0], path[1], path.at(-1)]).toEqual([from, to, from]);
        const steps = path.slice(2).map((end, index) => [path[index + 1], end]);
        for (const [start, end] of steps)
          expect(arrows.some((each) => each.from === start && each.to === end)).toBe(true);
        expect(new Set(path).size).toBe(path.length - 1);
      }),
    );
  });

  test('finds exactly the reachable accounts, also in loops', () => {
    fc.assert(
      fc.property(anyArrows, fc.constantFrom(...NAMES), fc.constantFrom(...NAMES), (arrows, start, end) => {
        expect(findPath(arrows, start, end) !== null).toBe(reached(arrows, start).has(end));
      }),
    );
  });
});

describe('the layout', () => {
  test('lets every arrow lead to the right', () => {
    fc.assert(
      fc.property(acyclic, (arrows) => {
        const places = layOut(NAMES, arrows);
        for (const { from, to } of arrows) expect(places.get(to)?.x).toBeGreaterThan(places.get(from)?.x ?? 0);
      }),
    );
  });

  test('takes the order with the fewest crossings', () => {
    // By the means of their own destinations alone, `d` would stand between `c` and `e`.
    const arrows = [arrow('a', 'c'), arrow('a', 'e'), arrow('b', 'd'), arrow('b', 'f')];
    const more = [arrow('c', 'g'), arrow('c', 'h'), arrow('e', 'i')];
    const places = layOut(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'], [...arrows, ...more]);
    const rows = (ids: string[]) => ids.map((id) => places.get(id)?.y ?? 0);
    expect(Math.max(...rows(['c', 'e']))).toBeLessThan(Math.min(...rows(['d', 'f'])));
  });

  test('places every account once, without overlap', () => {
    fc.assert(
      fc.property(acyclic, fc.integer({ min: 0, max: 60 }), (arrows, more) => {
        const ids = [...NAMES, ...Array.from({ length: more }, (_, index) => `m${index}`)];
        const places = [...layOut(ids, arrows).entries()];
        expect(places.map(([id]) => id).sort()).toEqual([...ids].sort());
        const overlaps = places.some(([id, one]) =>
          places.some(
            ([other, two]) =>
              id < other && Math.abs(one.x - two.x) < NODE.width && Math.abs(one.y - two.y) < NODE.height,
          ),
        );
        expect(overlaps).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  test('does not depend on the order of rules', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(chain, { minLength: 3 }), (arrows) => {
        expect(layOut(['d', 'c', 'b', 'a'], arrows)).toEqual(layOut(['d', 'c', 'b', 'a'], chain));
      }),
    );
  });

  test('splits a source with sixty destinations into columns', () => {
    const ids = ['a', ...Array.from({ length: 60 }, (_, index) => `d${index}`)];
    const places = layOut(
      ids,
      ids.slice(1).map((to) => arrow('a', to)),
    );
    expect(new Set([...places.values()].map(({ x }) => x)).size).toBe(6);
    expect(Math.max(...[...places.values()].map(({ y }) => y))).toBeLessThan(12 * (NODE.height + 40));
  });

  test('ends if the rules form a loop', () => {
    expect(layOut(['a', 'b'], [arrow('a', 'b'), arrow('b', 'a')]).size).toBe(2);
  });
});

test('stored positions of a wrong type are left out', () => {
  expect(parsePositions('{"a":{"x":1,"y":2},"b":{"x":"1","y":2},"c":null}')).toEqual({ a: { x: 1, y: 2 } });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.constant(null)), (text) => {
      for (const { x, y } of Object.values(parsePositions(text))) expect(Number.isFinite(x + y)).toBe(true);
    }),
  );
});
