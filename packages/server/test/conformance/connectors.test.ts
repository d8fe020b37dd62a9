import { afterAll, describe, expect, test } from 'vitest';
import { allConnectors } from '../harness/connectors.ts';
import { createWorld } from '../harness/world.ts';
import {
  broken,
  crashAt,
  discover,
  equalTexts,
  FAULTS,
  faultAt,
  isPerfectLie,
  listedFaults,
  MOMENTS,
} from '../suites/connector.ts';

/** Large enough for uploads in several parts. */
const LARGE_BYTES = 25_000_000;

for (const { connector, module } of await allConnectors()) {
  const world = await createWorld({ connector, module });
  const requests = await discover(world);
  const large = await createWorld({ connector, module, video: { bytes: LARGE_BYTES } });
  const largeRequests = await discover(large);
  const variants = await Promise.all(
    (module.variants ?? []).map(async (variant) => {
      const changed = await createWorld({ connector, module, variant });
      return { name: variant.name, changed, requests: await discover(changed) };
    }),
  );
  const worlds = [world, large, ...variants.map(({ changed }) => changed)];

  describe(connector.name, () => {
    afterAll(async () => {
      for (const each of worlds) await each.close();
    });

    for (const { index, method, path } of requests) {
      describe(`${index}. ${method} ${path}`, () => {
        test.each(MOMENTS)('a worker that dies %s leaves one post', async (moment) => {
          const result = await crashAt(world, index, moment);
          expect(broken(result)).toBeNull();
          expect(result.state, result.timeline.join('\n')).toBe('posted');
        });
        test.each([...FAULTS, ...listedFaults(connector)])(
          '$name: posted once, or not and said so',
          async ({ fault, releaseAfterMs }) => {
            const result = await faultAt(world, index, fault, { releaseAfterMs });
            expect(broken(result, isPerfectLie(world, fault))).toBeNull();
          },
        );
      });
    }

    // An upload in parts: the same three moments at every request that the small one has not.
    if (largeRequests.length > requests.length)
      for (const { index, method, path } of largeRequests)
        test.each(MOMENTS)(
          `in parts, ${index}. ${method} ${path}: a worker that dies %s leaves one post`,
          async (moment) => {
            const result = await crashAt(large, index, moment);
            expect(broken(result)).toBeNull();
            expect(result.state, result.timeline.join('\n')).toBe('posted');
          },
        );

    test.each(requests)(
      'two posts of the same text are both made, the worker dying at $index. $method $path',
      async ({ index }) => {
        expect(await equalTexts(world, index)).toEqual({ states: ['posted', 'posted'], published: 2 });
      },
    );

    for (const { name, changed, requests: others } of variants)
      for (const { index, method, path } of others)
        test.each(MOMENTS)(
          `${name}, ${index}. ${method} ${path}: a worker that dies %s leaves one post`,
          async (moment) => {
            const result = await crashAt(changed, index, moment);
            expect(broken(result)).toBeNull();
            expect(result.state, result.timeline.join('\n')).toBe('posted');
          },
        );

    test('nothing happened that nobody foresaw', () => {
      expect(worlds.flatMap((each) => each.bugs)).toEqual([]);
      expect(worlds.flatMap((each) => each.simulator.errors)).toEqual([]);
    });
  });
}
