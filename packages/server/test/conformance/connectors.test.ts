/**
 * One platform's connector against everything that dies or lies; vitest.config.ts runs this file once for each platform
 * that has a folder. Cases run side by side in worlds of their own.
 */
import { afterAll, describe, expect, inject, test } from 'vitest';
import { connectorOf } from '../harness/connectors.ts';
import type { World, WorldOptions } from '../harness/world.ts';
import { createWorlds } from '../harness/worlds.ts';
import {
  broken,
  crashAt,
  discover,
  equalTexts,
  FAULTS,
  faultAt,
  isBlind,
  isPerfectLie,
  listedFaults,
  MOMENTS,
  type Moment,
  restsWell,
} from '../suites/connector.ts';

/** Enough to keep a core busy while others wait for the database. */
const AT_ONCE = 4;
/** Large enough for uploads in several parts. */
const LARGE_BYTES = 21_000_000;

const { connector, module } = await connectorOf(inject('platform'));

/** Worlds of one kind, and the requests that a publish takes there. */
async function setting(options: Partial<WorldOptions>, atOnce = AT_ONCE) {
  const worlds = createWorlds({ connector, module, ...options }, atOnce);
  return { ...worlds, requests: await worlds.run(discover) };
}

const usual = await setting({});
const large = await setting({ video: { bytes: LARGE_BYTES } }, 2);
const variants = await Promise.all(
  (module.variants ?? []).map(async (variant) => ({ name: variant.name, ...(await setting({ variant }, 2)) })),
);
const settings = [usual, large, ...variants];

async function leavesOnePost(world: World, index: number, moment: Moment): Promise<void> {
  const result = await crashAt(world, index, moment);
  expect(broken(result)).toBeNull();
  expect(restsWell(world, result), result.timeline.join('\n')).toBe(true);
}

describe(connector.name, () => {
  afterAll(async () => {
    for (const each of settings) await each.close();
  });

  describe.concurrent('whatever dies or lies', () => {
    for (const { index, method, path } of usual.requests) {
      describe(`${index}. ${method} ${path}`, () => {
        test.each(MOMENTS)('a worker that dies %s leaves one post', (moment) =>
          usual.run((world) => leavesOnePost(world, index, moment)),
        );
        test.each([...FAULTS, ...listedFaults(connector)])(
          '$name: posted once, or not and said so',
          ({ fault, releaseAfterMs }) =>
            usual.run(async (world) => {
              const result = await faultAt(world, index, fault, { releaseAfterMs });
              expect(broken(result, isPerfectLie(world, fault), isBlind(connector))).toBeNull();
            }),
        );
      });
    }

    // An upload in parts: the same three moments at every request that the small one has not.
    if (large.requests.length > usual.requests.length)
      for (const { index, method, path } of large.requests)
        test.each(MOMENTS)(`in parts, ${index}. ${method} ${path}: a worker that dies %s leaves one post`, (moment) =>
          large.run((world) => leavesOnePost(world, index, moment)),
        );

    for (const { index, method, path } of usual.requests)
      test(`two posts of the same text are both made, the worker dying at ${index}. ${method} ${path}`, () =>
        usual.run(async (world) => {
          for (const result of await equalTexts(world, index)) {
            expect(restsWell(world, result), result.timeline.join('\n')).toBe(true);
            expect(result.published).toBe(2);
          }
        }));

    for (const { name, requests, run } of variants)
      for (const { index, method, path } of requests)
        test.each(MOMENTS)(`${name}, ${index}. ${method} ${path}: a worker that dies %s leaves one post`, (moment) =>
          run((world) => leavesOnePost(world, index, moment)),
        );
  });

  test('nothing happened that nobody foresaw', async () => {
    const worlds = (await Promise.all(settings.map((each) => each.all()))).flat();
    expect(worlds.flatMap((each) => each.bugs)).toEqual([]);
    expect(worlds.flatMap((each) => each.simulator.errors)).toEqual([]);
  });
});
