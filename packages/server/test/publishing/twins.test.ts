import { afterEach, expect, test } from 'vitest';
import { connector } from '../../src/connectors/pinterest/index.ts';
import { simulator } from '../../src/connectors/pinterest/simulator.ts';
import { createWorld, type World } from '../harness/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

test('where posts are known by their words alone, another with the same words waits until the first is found', async () => {
  world = await createWorld({ connector, module: simulator });
  const { faults } = world.simulator;
  const sent = faults.add({
    when: ({ method, path }) => method === 'POST' && path.endsWith('/pins'),
    times: 1,
    fault: { kind: 'reset-after' },
  });
  // Once its answer was lost, the board cannot be read for a while.
  faults.add({
    when: ({ path }) => path.startsWith('/v5/boards/') && path.endsWith('/pins') && sent.hits() > 0,
    times: 4,
    fault: { kind: 'status', answer: { status: 500, body: '' } },
  });
  const only = await world.worker();
  const ids = [await world.post({ text: 'Sunset run' })];
  for (let moves = 0; moves < 50 && sent.hits() === 0; moves++) {
    await world.advanceToNextDue();
    await only.runUntilIdle();
  }
  for (const text of ['sunset  run!', 'Night ride']) ids.push(await world.post({ text }));
  for (const id of ids) await world.settle(only, id);
  const told = await Promise.all(ids.map((id) => world?.timeline(id)));
  expect(told.map((lines) => lines?.at(-1)?.split(':')[0])).toEqual(['posted', 'posted', 'posted']);
  expect(
    told.map((lines) => lines?.filter((line) => line.startsWith('waiting: A post with the same words')).length),
  ).toEqual([0, 1, 0]);
  expect(await world.simulator.published()).toHaveLength(3);
});
