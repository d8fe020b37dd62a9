import { simulator } from '@reelay/sandbox/platforms/pinterest/index.ts';
import { simulator as snapchatSimulator } from '@reelay/sandbox/platforms/snapchat/index.ts';
import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/pinterest/index.ts';
import { connector as snapchat } from '../../src/connectors/snapchat/index.ts';
import { createWorld, type World } from '../harness/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

test('a second post with the same text waits', async () => {
  world = await createWorld({ connector, module: simulator });
  // The board lists a pin only after a delay.
  await world.simulator.store.put('app', 'settings', { listLagMs: 3_000 });
  const sent = world.simulator.faults.add({
    when: ({ method, path }) => method === 'POST' && path.endsWith('/pins'),
    times: 3,
    fault: { kind: 'reset-after' },
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
    told.map((lines) => lines?.filter((line) => line.startsWith('waiting: An earlier post with the same text')).length),
  ).toEqual([0, 1, 0]);
  const targets = await Promise.all(ids.map((id) => world?.target(id)));
  expect(new Set(targets.map((target) => target?.remote_id)).size).toBe(3);
  expect(await world.simulator.published()).toHaveLength(3);
});

test('a newer post with that text waits during a resend', async () => {
  world = await createWorld({ connector, module: simulator });
  const isPin = ({ method, path }: { method: string; path: string }) => method === 'POST' && path.endsWith('/pins');
  const lost = world.simulator.faults.add({ when: isPin, times: 2, fault: { kind: 'reset-before' } });
  const only = await world.worker();
  const first = await world.post({ text: 'Sunset run' });
  for (let moves = 0; moves < 80 && lost.hits() < 2; moves++) {
    await world.advanceToNextDue();
    await only.runUntilIdle();
  }
  const second = await world.post({ text: 'Sunset run' });
  for (const id of [second, first]) await world.settle(only, id);
  const targets = await Promise.all([first, second].map((id) => world?.target(id)));
  expect(targets.map((target) => target?.state)).toEqual(['posted', 'posted']);
  expect(new Set(targets.map((target) => target?.remote_id)).size).toBe(2);
  expect(await world.simulator.published()).toHaveLength(2);
});

test('a newer equal post waits after a refused send', async () => {
  world = await createWorld({ connector: snapchat, module: snapchatSimulator });
  const body = { request_status: 'ERROR', error_code: 'MEDIA_PROCESSING', debug_message: 'Still processing.' };
  const refused = world.simulator.faults.add({
    when: ({ method, path }) => method === 'POST' && path.endsWith('/spotlights'),
    times: 1,
    fault: { kind: 'status', answer: { status: 400, body } },
  });
  const only = await world.worker();
  const first = await world.post({ text: 'Sunset run' });
  for (let moves = 0; moves < 80 && refused.hits() < 1; moves++) {
    await world.advanceToNextDue();
    await only.runUntilIdle();
  }
  expect((await world.target(first)).state).toBe('waiting');
  const second = await world.post({ text: 'Sunset run' });
  for (const id of [second, first]) await world.settle(only, id);
  for (const id of [first, second]) {
    expect((await world.target(id)).state).toBe('posted');
    expect((await world.timeline(id)).filter((line) => line.startsWith('unknown'))).toEqual([]);
  }
  expect(await world.simulator.published()).toHaveLength(2);
});

test('verification gives up on another target’s post', async () => {
  world = await createWorld({ connector, module: simulator });
  const only = await world.worker();
  const first = await world.post({ text: 'Sunset run' });
  await world.settle(only, first);
  const { remote_id: remoteId } = await world.target(first);
  // Simulates a list read before the send that did not contain it. Now it is matched to the second post.
  const body: JsonObject = { items: [{ id: String(remoteId), description: 'Sunset run' }], bookmark: null };
  const isList = ({ path }: { path: string }) => /\/boards\/\d+\/pins$/.test(path);
  const faults = world.simulator.faults;
  faults.add({ when: isList, times: 1, fault: { kind: 'status', answer: { status: 200, body: { items: [] } } } });
  faults.add({ when: isList, fault: { kind: 'status', answer: { status: 200, body } } });
  faults.add({
    when: ({ method, path }) => method === 'POST' && path.endsWith('/pins'),
    fault: { kind: 'reset-before' },
  });
  const second = await world.post({ text: 'Sunset run' });
  await world.settle(only, second, 40);
  expect(await world.target(second)).toMatchObject({ state: 'failed', code: 'outcome_unknown' });
  expect((await world.timeline(second)).length).toBeLessThan(60);
});
