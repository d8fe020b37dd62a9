/** What connectors really send, as a source of good requests: each stays good only as long as nothing is taken from it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allConnectors, type FoundConnector } from '../harness/connectors.ts';
import { tableOf } from '../harness/wire-tables.ts';
import { createWorld } from '../harness/world.ts';
import { discover } from '../suites/connector.ts';
import { entriesFor, judge, type Places } from './checker.ts';
import { type Drop, dropsOf } from './drops.ts';
import type { Known, Seen, WireTable } from './table.ts';
import { placesOf } from './watch.ts';

interface Recorded {
  platform: string;
  table: WireTable;
  places: Places;
  request: Seen;
  drops: Drop[];
}

/** One request of each kind that it takes to know an account and to post. */
async function record({ connector, module }: FoundConnector): Promise<Recorded[]> {
  const table = await tableOf(module.platform);
  const seen: Seen[] = [];
  const world = await createWorld({ connector, module, simulator: { seen: (request) => void seen.push(request) } });
  const places = placesOf(module.endpoints(world.simulator.url), world.simulator.url);
  await discover(world);
  await world.close();
  const kinds = new Map<Known, Recorded>();
  for (const request of seen) {
    const entry = entriesFor(table, places, request).find(
      (each) => judge({ requests: [each] }, places, request).length === 0,
    );
    if (entry) kinds.set(entry, { platform: module.platform, table, places, request, drops: dropsOf(entry, request) });
  }
  return [...kinds.values()];
}

const found = await allConnectors();
const recorded = (await Promise.all(found.map(record))).flat();
const judged = ({ table, places }: Recorded, request: Seen) => judge(table, places, request);

test('a platform without a table causes an error', async () => {
  await expect(tableOf('nowhere')).rejects.toThrow('packages/server/test/wire/nowhere.ts is missing');
});

describe.each(found.map(({ module }) => module.platform))('what is sent to %s', (platform) => {
  const own = recorded.filter((each) => each.platform === platform);

  test('has several kinds, all valid for the platform', () => {
    expect(own.length).toBeGreaterThan(3);
    for (const each of own) expect(judged(each, each.request)).toEqual([]);
  });

  test('reports every missing required part', () => {
    const missed = own.flatMap((each) =>
      each.drops.flatMap(({ name, from }) =>
        judged(each, from(each.request)).length > 0 ? [] : [`${each.request.method} ${each.request.target}: ${name}`],
      ),
    );
    expect(missed).toEqual([]);
  });
});

test('removing any set of parts is detected', () => {
  const some = fc
    .constantFrom(...recorded)
    .chain((each) => fc.tuple(fc.constant(each), fc.subarray(each.drops, { minLength: 1 })));
  fc.assert(
    fc.property(some, ([each, drops]) => {
      const left = drops.reduce((request, { from }) => from(request), each.request);
      expect(judged(each, left)).not.toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('adding any parameter is detected', () => {
  const closed = recorded.filter(({ table, places, request }) =>
    entriesFor(table, places, request).every(({ anyQuery }) => !anyQuery),
  );
  fc.assert(
    fc.property(fc.constantFrom(...closed), fc.stringMatching(/^x_[a-z]{1,8}$/), (each, name) => {
      const target = `${each.request.target}${each.request.target.includes('?') ? '&' : '?'}${name}=1`;
      expect(judged(each, { ...each.request, target })).not.toEqual([]);
    }),
  );
});
