import { afterEach, expect, test } from 'vitest';
import type { Connector } from '../../src/connectors/contract.ts';
import { allConnectors } from '../harness/connectors.ts';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import { messageOf } from '../harness/message.ts';
import { createWorld, type World } from '../harness/world.ts';
import { broken, crashAt, discover, faultAt, MOMENTS } from '../suites/connector.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/**
 * Runs crashes and lost responses of a connector until the suite finds the expected problem.
 * @returns all problems found
 */
async function findings(spoil: (connector: Connector) => Connector, expected: string): Promise<string[]> {
  const [first] = (await allConnectors()).filter(({ connector }) => connector.settle.idempotency === 'handle');
  if (!first) throw new Error('There is no connector to spoil.');
  world = await createWorld({ ...first, connector: spoil(first.connector) });
  const found: string[] = [];
  for (const { index } of await discover(world)) {
    for (const moment of MOMENTS) found.push(broken(await crashAt(world, index, moment)) ?? '');
    found.push(broken(await faultAt(world, index, { kind: 'reset-after' })) ?? '');
    const last = found.findIndex((problem) => problem.startsWith(expected));
    if (last >= 0) return found.slice(0, last + 1);
  }
  return found.filter(Boolean);
}

/** Planted bugs, and the problem that the suite finds. */
const BUGS: readonly (readonly [name: string, verify: Connector['verify'], problem: string])[] = [
  [
    'resends without verifying',
    async () => ({ then: 'notPosted', checkpoint: null, note: messageOf('Not verified.') }),
    'posted twice',
  ],
  [
    'treats every response as success',
    async () => ({
      then: 'posted',
      published: { remoteId: null, url: null, publishedAt: null },
      note: messageOf('Surely.'),
    }),
    'said to be posted and is not',
  ],
];

test.each(drawn(BUGS, ONE_IN.planted))(seeded('the suite detects a connector that %s'), async (_, verify, problem) => {
  const found = await findings((connector) => ({ ...connector, verify }), problem);
  expect(found.at(-1)?.startsWith(problem)).toBe(true);
});
