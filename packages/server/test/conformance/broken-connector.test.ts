import { afterEach, expect, test } from 'vitest';
import type { Connector } from '../../src/connectors/contract.ts';
import { allConnectors } from '../harness/connectors.ts';
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

const again = async () => ({ then: 'notPosted', checkpoint: null, note: messageOf('Not verified.') }) as const;

test('detects a connector that resends without verifying', async () => {
  const found = await findings((connector) => ({ ...connector, verify: again }), 'posted twice');
  expect(found.at(-1)).toMatch(/^posted twice/);
});

test('detects a connector that treats every response as success', async () => {
  const published = { remoteId: null, url: null, publishedAt: null };
  const verify: Connector['verify'] = async () => ({ then: 'posted', published, note: messageOf('Surely.') });
  const found = await findings((connector) => ({ ...connector, verify }), 'said to be posted and is not');
  expect(found.at(-1)).toMatch(/^said to be posted and is not/);
});
