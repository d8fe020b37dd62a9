import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closesCircle, type Edge } from './rule-graph.ts';

const account = fc.integer({ min: 0, max: 7 }).map(String);
const addition = fc.record({ from: account, to: fc.array(account, { minLength: 1, maxLength: 3 }) });

/** Reference implementation by brute force: the transitive closure of all edges. */
function hasCircle(edges: readonly Edge[]): boolean {
  const reach = new Set(edges.map(({ from, to }) => `${from} ${to}`));
  for (let grown = true; grown; ) {
    grown = false;
    for (const pair of [...reach])
      for (const { from, to } of edges)
        if (pair.endsWith(` ${from}`) && !reach.has(`${pair.split(' ')[0]} ${to}`)) {
          reach.add(`${pair.split(' ')[0]} ${to}`);
          grown = true;
        }
  }
  return [...reach].some((pair) => pair.split(' ')[0] === pair.split(' ')[1]);
}

test('rules never form a cycle; other edges are accepted', () => {
  fc.assert(
    fc.property(fc.array(addition, { maxLength: 20 }), (additions) => {
      const edges: Edge[] = [];
      for (const { from, to } of additions) {
        const wanted = [...edges, ...to.map((each) => ({ from, to: each }))];
        expect(closesCircle(edges, from, to)).toBe(hasCircle(wanted));
        if (!hasCircle(wanted)) edges.push(...wanted.slice(edges.length));
      }
    }),
    { numRuns: 300 },
  );
});

test('a chain of ten thousand rules is searched completely', () => {
  const edges = Array.from({ length: 10_000 }, (_, at) => ({ from: `${at}`, to: `${at + 1}` }));
  expect(closesCircle(edges, '10000', ['0'])).toBe(true);
  expect(closesCircle(edges, '0', ['10000'])).toBe(false);
});
