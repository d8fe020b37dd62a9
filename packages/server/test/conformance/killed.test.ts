/**
 * Workers that are processes of their own, killed by SIGKILL or frozen by SIGSTOP. A seeded tenth of the cases runs
 * always; REELAY_TEST_FULL=1 runs all. REELAY_TEST_SEED repeats a draw. Platforms are taken side by side, since such a case
 * mostly waits; the cases of one come after each other.
 */
import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { allConnectors } from '../harness/connectors.ts';
import type { World } from '../harness/world.ts';
import { createWorlds, type Worlds } from '../harness/worlds.ts';
import { broken, type CaseResult, discover, MOMENTS, restsWell } from '../suites/connector.ts';
import { FREEZES, freezeAt, freezeBeforeSend, killAt } from '../suites/kill.ts';

interface Case {
  platform: string;
  kind: 'killed' | 'frozen';
  name: string;
  /** The platform's only one. */
  worlds: Worlds;
  run: (world: World) => Promise<CaseResult>;
}

const full = process.env.REELAY_TEST_FULL === '1';
const seed = Number(process.env.REELAY_TEST_SEED ?? Date.now() % 100_000);
const cases: Case[] = [];

const platforms = await Promise.all(
  (await allConnectors()).map(async ({ connector, module }) => {
    const worlds = createWorlds({ connector, module }, 1);
    return { name: connector.name, worlds, requests: await worlds.run(discover) };
  }),
);

for (const { name, worlds, requests } of platforms) {
  const about = { platform: name, worlds };
  for (const { index, method, path } of requests) {
    const where = `${name}, ${index}. ${method} ${path}`;
    for (const moment of MOMENTS)
      cases.push({
        ...about,
        kind: 'killed',
        name: `${where}: killed ${moment}`,
        run: (world) => killAt(world, index, moment),
      });
    for (const freeze of FREEZES)
      cases.push({
        ...about,
        kind: 'frozen',
        name: `${where}: frozen ${freeze}`,
        run: (world) => freezeAt(world, index, freeze),
      });
  }
}

/** The same draw for the same seed: the tenth of the cases whose numbers hash lowest. */
const drawOf = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
const byDraw = cases.map((each, index) => ({ each, draw: drawOf(index) })).sort((a, b) => (a.draw < b.draw ? -1 : 1));
const drawn = byDraw.slice(0, full ? cases.length : Math.ceil(cases.length / 10)).map(({ each }) => each);

/** How many cases there are, cut off inside the test's process and with processes of their own. */
function table(): Record<string, Record<string, string | number>> {
  const count = (from: readonly Case[], platform: string, kind: Case['kind']) =>
    from.filter((each) => each.platform === platform && each.kind === kind).length;
  return Object.fromEntries(
    platforms.map(({ name }) => [
      name,
      {
        'cut off': count(cases, name, 'killed'),
        'killed (of all)': `${count(drawn, name, 'killed')} of ${count(cases, name, 'killed')}`,
        'frozen (of all)': `${count(drawn, name, 'frozen')} of ${count(cases, name, 'frozen')}`,
      },
    ]),
  );
}

afterAll(async () => {
  console.table(table());
  for (const { worlds } of platforms) await worlds.close();
});

describe(`${drawn.length} of ${cases.length} cases with processes of their own, seed ${seed}`, () => {
  describe.concurrent('side by side', () => {
    test.each(drawn)('$name: one post', ({ worlds, run }) =>
      worlds.run(async (world) => {
        const result = await run(world);
        expect(broken(result)).toBeNull();
        expect(restsWell(world, result), result.timeline.join('\n')).toBe(true);
      }),
    );

    test.each(platforms)('$name: a worker frozen just before it sends, sends nothing when it goes on', ({ worlds }) =>
      worlds.run(async (world) => {
        const { result, requestsAfter } = await freezeBeforeSend(world);
        expect(broken(result)).toBeNull();
        expect(restsWell(world, result), result.timeline.join('\n')).toBe(true);
        expect(requestsAfter).toEqual([]);
      }),
    );
  });

  test('nothing happened that nobody foresaw', async () => {
    const worlds = (await Promise.all(platforms.map((each) => each.worlds.all()))).flat();
    expect(worlds.flatMap((world) => world.bugs)).toEqual([]);
  });
});
