/** Reads that a platform charges for while posts are published. */
import { simulator } from '@reelay/sandbox/platforms/x/index.ts';
import { afterEach, expect, test } from 'vitest';
import { connector } from '../../src/connectors/x/index.ts';
import { createWorld, type World } from '../harness/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

async function start(): Promise<World> {
  world = await createWorld({ connector, module: simulator });
  return world;
}

const isPost = { method: 'POST', path: '/2/tweets' };
const readsOf = ({ db }: World) => db.query('select reads, for_service as ours from user_reads');

test('a publish with a response counts no reads', async () => {
  const { post, worker, settle, target } = await start();
  const id = await post();
  await settle(await worker(), id);
  expect((await target(id)).state).toBe('posted');
  expect(await readsOf(world as World)).toEqual([]);
});

test('a verification is counted and never refused', async () => {
  const { db, post, worker, settle, target, simulator: platform } = await start();
  // The day's reads are used up.
  await db.execute(
    `insert into watch_reads (platform, day, reads) values ('x', (app_now() at time zone 'UTC')::date, 5000)`,
  );
  platform.faults.add({ when: (request) => isMatch(request), times: 1, fault: { kind: 'reset-after' } });
  const id = await post();
  await settle(await worker(), id);
  expect((await target(id)).state).toBe('posted');
  expect(await platform.published()).toHaveLength(1);
  expect(await readsOf(world as World)).toEqual([{ reads: 0, ours: expect.any(Number) }]);
  const [day] = await db.query<{ reads: string }>('select reads from watch_reads order by day desc limit 1');
  const [user] = await db.query<{ ours: number }>('select for_service as ours from user_reads');
  expect(user?.ours).toBeGreaterThanOrEqual(1);
  expect(Number(day?.reads) % 5000).toBe(user?.ours);
});

const isMatch = ({ method, path }: { method: string; path: string }) =>
  method === isPost.method && path.endsWith(isPost.path);
