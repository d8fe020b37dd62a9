/**
 * Workers that are processes of their own, killed by SIGKILL or frozen by SIGSTOP. A seeded tenth of the cases runs
 * always; REELAY_TEST_FULL=1 runs all. REELAY_TEST_SEED repeats a draw.
 */
import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { allConnectors } from '../harness/connectors.ts';
import { createWorld, type World } from '../harness/world.ts';
import { broken, type CaseResult, discover, MOMENTS } from '../suites/connector.ts';
import { FREEZES, freezeAt, freezeBeforeSend, killAt } from '../suites/kill.ts';

interface Case {
  platform: string;
  kind: 'killed' | 'frozen';
  name: string;
  run: () => Promise<CaseResult>;
}

const full = process.env.REELAY_TEST_FULL === '1';
const seed = Number(process.env.REELAY_TEST_SEED ?? Date.now() % 100_000);
const cases: Case[] = [];
const worlds: World[] = [];

for (const { connector, module } of await allConnectors()) {
  const world = await createWorld({ connector, module });
  worlds.push(world);
  const about = { platform: connector.name };
  for (const { index, method, path } of await discover(world)) {
    const where = `${connector.name}, ${index}. ${method} ${path}`;
    for (const moment of MOMENTS)
      cases.push({
        ...about,
        kind: 'killed',
        name: `${where}: killed ${moment}`,
        run: () => killAt(world, index, moment),
      });
    for (const freeze of FREEZES)
      cases.push({
        ...about,
        kind: 'frozen',
        name: `${where}: frozen ${freeze}`,
        run: () => freezeAt(world, index, freeze),
      });
  }
}

/** The same draw for the same seed: the tenth of the cases whose numbers hash lowest. */
const drawOf = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
const byDraw = cases.map((each, index) => ({ each, draw: drawOf(index) })).sort((a, b) => (a.draw < b.draw ? -1 : 1));
const drawn = full ? cases : byDraw.slice(0, Math.ceil(cases.length / 10)).map(({ each }) => each);

/** How many cases there are, cut off inside the test's process and with processes of their own. */
function table(): Record<string, Record<string, string | number>> {
  const count = (from: readonly Case[], platform: string, kind: Case['kind']) =>
    from.filter((each) => each.platform === platform && each.kind === kind).length;
  return Object.fromEntries(
    worlds.map(({ connector: { name } }) => [
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
  for (const world of worlds) await world.close();
});

describe(`${drawn.length} of ${cases.length} cases with processes of their own, seed ${seed}`, () => {
  test.each(drawn)('$name: one post', async ({ run }) => {
    const result = await run();
    expect(broken(result)).toBeNull();
    expect(result.state, result.timeline.join('\n')).toBe('posted');
  });

  test.each(worlds)(
    '$connector.name: a worker frozen just before it sends, sends nothing when it goes on',
    async (world) => {
      const { result, requestsAfter } = await freezeBeforeSend(world);
      expect(broken(result)).toBeNull();
      expect(result.state, result.timeline.join('\n')).toBe('posted');
      expect(requestsAfter).toEqual([]);
    },
  );

  test('nothing happened that nobody foresaw', () => {
    expect(worlds.flatMap((world) => world.bugs)).toEqual([]);
  });
});
