import { afterAll, describe, expect, test } from 'vitest';
import { allConnectors } from '../harness/connectors.ts';
import { createWorld } from '../harness/world.ts';
import { broken, crashAt, discover, FAULTS, faultAt, isPerfectLie, MOMENTS } from '../suites/connector.ts';

/** Large enough for uploads in several parts. */
const LARGE_BYTES = 25_000_000;

for (const { connector, module } of await allConnectors()) {
  const world = await createWorld({ connector, module });
  const requests = await discover(world);
  const large = await createWorld({ connector, module, video: { bytes: LARGE_BYTES } });
  const largeRequests = await discover(large);

  describe(connector.name, () => {
    afterAll(async () => {
      await world.close();
      await large.close();
    });

    for (const { index, method, path } of requests) {
      describe(`${index}. ${method} ${path}`, () => {
        test.each(MOMENTS)('a worker that dies %s leaves one post', async (moment) => {
          const result = await crashAt(world, index, moment);
          expect(broken(result)).toBeNull();
          expect(result.state, result.timeline.join('\n')).toBe('posted');
        });
        test.each(FAULTS)('$name: posted once, or not and said so', async ({ fault, releaseAfterMs }) => {
          const result = await faultAt(world, index, fault, { releaseAfterMs });
          expect(broken(result, isPerfectLie(world, fault))).toBeNull();
        });
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

    test('nothing happened that nobody foresaw', () => {
      expect([...world.bugs, ...large.bugs]).toEqual([]);
      expect([...world.simulator.errors, ...large.simulator.errors]).toEqual([]);
    });
  });
}
