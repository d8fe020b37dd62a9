import { simulator as mastodonSimulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import { simulator } from '@reelay/sandbox/platforms/tiktok/index.ts';
import { simulator as xSimulator } from '@reelay/sandbox/platforms/x/index.ts';
import { afterEach, expect, test } from 'vitest';
import { connector as mastodon } from '../../src/connectors/mastodon/index.ts';
import { connector } from '../../src/connectors/tiktok/index.ts';
import { connector as xConnector } from '../../src/connectors/x/index.ts';
import { createWorld, type World } from '../harness/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const tiktok = () => createWorld({ connector, module: simulator });

test('a due target is posted once with recorded steps', async () => {
  world = await tiktok();
  const id = await world.post({ text: 'Sunset run #sea' });
  await world.settle(await world.worker(), id);
  expect(await world.target(id)).toMatchObject({ state: 'posted', code: null, due_at: null });
  const published = await world.simulator.published();
  expect(published).toHaveLength(1);
  expect(published[0]).toMatchObject({ text: 'Sunset run #sea' });
  expect(await world.timeline(id)).toMatchInlineSnapshot(`
    [
      "step: TikTok returned what the account may post.",
      "committing: Sending the last part. Its last byte publishes the post.",
      "confirming: The video is uploaded. TikTok is processing it.",
      "posted: Posted.",
    ]
  `);
  expect(world.bugs).toEqual([]);
});

test.each([
  [{}, true],
  [{ privacy: 'SELF_ONLY' }, false],
])('a target sent with %j is public: %s', async (options, isPublic) => {
  world = await tiktok();
  const id = await world.post();
  await world.db.execute('update target set options = $2 where id = $1', [id, JSON.stringify(options)]);
  expect(await world.target(id)).toMatchObject({ is_public: null });
  await world.settle(await world.worker(), id);
  expect(await world.target(id)).toMatchObject({ state: 'posted', is_public: isPublic });
});

test('a send after an unproven private one stays private', async () => {
  world = await tiktok();
  const id = await world.post();
  await world.db.execute('update target set unproven = true, is_public = false where id = $1', [id]);
  await world.settle(await world.worker(), id);
  expect(await world.target(id)).toMatchObject({ state: 'posted', is_public: false });
});

test('a text that the platform rejects fails before any request', async () => {
  world = await createWorld({ connector: xConnector, module: xSimulator });
  const worker = await world.worker();
  const { length } = world.simulator.requests;
  const id = await world.post({ text: '$ABC and $BRK.B' });
  await worker.runUntilIdle();
  expect(await world.target(id)).toMatchObject({ state: 'failed', code: 'caption_rejected', due_at: null });
  expect(await world.timeline(id)).toEqual([
    'failed: X allows one cashtag in a post at most. Remove the “$” of the others.',
  ]);
  expect(world.simulator.requests.slice(length)).toEqual([]);
  expect(world.bugs).toEqual([]);
});

test('the ledger keeps a post removed before its confirmation', async () => {
  world = await createWorld({ connector: mastodon, module: mastodonSimulator });
  const { db, simulator: platform } = world;
  const id = await world.post();
  const worker = await world.worker();
  while ((await world.target(id)).state !== 'confirming') {
    await worker.runUntilIdle();
    if ((await world.target(id)).state !== 'confirming') await world.advanceToNextDue();
  }
  const [post] = await platform.published();
  await platform.simulator.phone?.remove(post?.username ?? '', post?.id ?? '');
  await world.settle(worker, id);
  expect(await world.target(id)).toMatchObject({ state: 'failed', code: 'policy_rejected', remote_id: null });
  expect(await db.query('select target_id, remote_id from placement')).toEqual([{ target_id: id, remote_id: null }]);

  // Its owner may post it again.
  await db.execute(
    `update target set state = 'waiting', due_at = app_now(), checkpoint = null, key_number = key_number + 1, code = null
     where id = $1`,
    [id],
  );
  await db.execute('update lane set next_due_at = app_now()');
  await world.settle(worker, id);
  const [again] = await platform.published();
  expect(await db.query('select target_id, remote_id from placement')).toEqual([
    { target_id: id, remote_id: again?.id },
  ]);
  expect(world.bugs).toEqual([]);
});
