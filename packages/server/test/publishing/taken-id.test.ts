/** What happens when the platform names a post as ours that the ledger has as another one. */
import { simulator } from '@reelay/sandbox/platforms/facebook/index.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connector } from '../../src/connectors/facebook/index.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { createWorld, type World } from '../harness/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld({ connector, module: simulator });
});
afterEach(() => world.close());

/** Publishes a post until Facebook processes it. @returns its target, and the id that Facebook gave it */
async function processing() {
  const worker = await world.worker();
  const id = await world.post({ text: 'Sunset run' });
  await worker.runUntilIdle();
  expect((await world.target(id)).state).toBe('confirming');
  const [published] = await world.simulator.published();
  return { worker, id, remoteId: published?.id ?? '' };
}

/** Adds a post to the ledger as one made elsewhere, found some ms ago. */
async function addFound(remoteId: string, { agoMs = 0 } = {}) {
  const values = [world.account.identityId, remoteId, uuidv7(), agoMs];
  await world.db.execute(
    `insert into watched_post (identity_id, remote_id, origin_id, published_at, found_at, text, is_public, state, due_at)
     values ($1, $2, $3, app_now(), app_now() - $4 * interval '1 ms', 'Sunset run', true, 'foreign', null)`,
    values,
  );
  await world.db.execute(
    `insert into placement (identity_id, remote_id, origin_id, published_at, normal_text)
     values ($1, $2, $3, app_now() - $4 * interval '1 ms', 'sunset run')`,
    values,
  );
}

test('a post found before its confirmation is given back', async () => {
  const { worker, id, remoteId } = await processing();
  await addFound(remoteId);
  await world.settle(worker, id);
  const target = await world.target(id);
  expect(target).toMatchObject({ state: 'posted', remote_id: remoteId });
  const placements = await world.db.query('select target_id, origin_id, remote_id from placement');
  expect(placements).toEqual([{ target_id: id, origin_id: target.origin_id, remote_id: remoteId }]);
  const found = await world.db.query('select state, origin_id from watched_post');
  expect(found).toEqual([{ state: 'own', origin_id: target.origin_id }]);
  expect(await world.timeline(id)).not.toContainEqual(expect.stringMatching(/^unknown/));
});

test('a post found before the send is another one', async () => {
  const { worker, id, remoteId } = await processing();
  await addFound(remoteId, { agoMs: 10 * 60_000 });
  await world.settle(worker, id, 40);
  expect(await world.target(id)).toMatchObject({ state: 'failed', code: 'outcome_unknown', remote_id: null });
  expect(await world.db.query('select state from watched_post')).toEqual([{ state: 'foreign' }]);
});

test('an id of another own post ends after few polls', async () => {
  const { worker, id, remoteId } = await processing();
  await world.db.execute(
    `insert into placement (identity_id, target_id, remote_id, origin_id, published_at, normal_text)
     values ($1, uuid_v7(), $2, uuid_v7(), app_now(), 'sunset run')`,
    [world.account.identityId, remoteId],
  );
  await world.settle(worker, id, 40);
  expect(await world.target(id)).toMatchObject({ state: 'failed', code: 'outcome_unknown' });
  expect((await world.timeline(id)).at(-1)).toMatch(/^failed: The platform returned the id of another post/);
  expect((await world.timeline(id)).length).toBeLessThan(60);
  expect(world.simulator.requests.length).toBeLessThan(200);
});
