import { expect, test } from 'vitest';
import { uuidv7 } from '../../src/lib/ids.ts';
import { holdOrigins } from '../../src/lineage/origins.ts';
import { say } from '../../src/messages/rules.ts';
import { createFiring } from '../../src/reposts/firing.ts';
import { dueFirings } from '../../src/reposts/firing-store.ts';
import { type RuleScene, setUpRules } from './rule-scene.ts';

let { world, user, a, b } = {} as RuleScene;
setUpRules((scene) => {
  ({ world, user, a, b } = scene);
});

/** Reposts the newest item by hand. */
async function byHand(ruleId: string) {
  const [item] = await world.activity(user, ruleId);
  return user.post(`/repost/${ruleId}/activity/${item?.id}/repost`);
}

const texts = () => world.texts(user);

test('a filtered item is reposted by hand, once', async () => {
  const id = await world.rule(user, a, [b], { filters: { contains: ['sunset'] }, delayMinutes: 60 });
  await world.foreign(a, {});
  await world.settle(user);
  expect(await byHand(id)).toMatchObject({ status: 200, body: { data: { status: 'waiting', reason: 'undecided' } } });
  await world.settle(user);
  expect(await texts()).toEqual(['From my phone']);
  expect(await byHand(id)).toMatchObject({
    status: 409,
    body: { code: 'not_repostable', message: 'The item was already reposted.' },
  });
  const audited = await world.service.db.query(`select action from audit where user_id = $1 and action like 'rule.%'`, [
    user.userId,
  ]);
  expect(audited).toEqual([{ action: 'rule.add' }, { action: 'rule.repost' }]);
});

test('a repost by hand works while paused', async () => {
  const id = await world.rule(user, a, [b]);
  await user.post('/repost/pause', { id, isPaused: true });
  await world.own(user, a, 'While paused');
  expect(await world.activity(user, id)).toMatchObject([{ reason: 'posted_while_paused', repostable: true }]);
  expect((await byHand(id)).status).toBe(200);
  await world.fire();
  expect(await texts()).toEqual(['While paused']);
});

test('a delayed item is released early', async () => {
  const id = await world.rule(user, a, [b], { delayMinutes: 600 });
  await world.own(user, a);
  await world.fire();
  expect((await byHand(id)).body.data).toMatchObject({ status: 'waiting', repostable: false });
  await world.fire();
  expect(await texts()).toEqual(['From here']);
});

test('a repost by hand ignores later quiet hours', async () => {
  const id = await world.rule(user, a, [b], { filters: { excludes: ['first'] } });
  await world.own(user, a, 'The first one');
  await world.fire();
  expect((await byHand(id)).status).toBe(200);
  await world.own(user, a, 'The second one');
  await world.fire();
  const obeying = await world.service.db.query(
    `select p.description as text, t.obeys_quiet_hours as "obeysQuietHours" from target t join post p on p.id = t.post_id
     where p.rule_id = $1 order by p.description`,
    [id],
  );
  expect(obeying).toEqual([
    { text: 'The first one', obeysQuietHours: false },
    { text: 'The second one', obeysQuietHours: true },
  ]);
});

test('a worker that holds the item cannot delay it again', async () => {
  const id = await world.rule(user, a, [b], { delayMinutes: 600 });
  await world.own(user, a);
  const { db, context } = world.service;
  const [claim] = await dueFirings.claim(db, { limit: 1, leaseMs: 60_000 });
  expect((await byHand(id)).status).toBe(200);
  const firing = createFiring({
    db,
    config: context.config,
    connectors: context.connectors,
    downloads: false,
    findShown: async () => new Map(),
    wake() {},
    onFile() {},
  });
  if (!claim) throw new Error('Nothing is due.');
  await expect(firing(claim)).rejects.toThrow('Another worker claimed the firing.');
  await world.fire();
  expect(await texts()).toEqual(['From here']);
});

test('an echo can be reposted by hand', async () => {
  await world.own(user, b, 'The same');
  const id = await world.rule(user, a, [b]);
  await world.foreign(a, { text: 'The same', durationMs: 4_001 });
  await world.settle(user);
  expect(await world.activity(user, id)).toMatchObject([{ status: 'skipped', reason: 'echo', repostable: true }]);
  expect((await byHand(id)).status).toBe(200);
  await world.settle(user);
  expect(await texts()).toEqual(['The same']);
});

test.each([
  ['a private post', { isPublic: false }, 'The item cannot be reposted. Skipped: the post is not public.'],
  [
    'a post without a file',
    { file: null, problem: say('platform_without_files', { platform: 'TikTok' }) },
    'The item cannot be reposted. Skipped: the video cannot be downloaded. TikTok does not let other applications download its videos.',
  ],
  [
    'a long video',
    { durationMs: 600_000 },
    'The item cannot be reposted. Skipped: The video is longer than 90 seconds.',
  ],
])('%s stays refused', async (_, post, message) => {
  const id = await world.rule(user, a, [b]);
  await world.foreign(a, post);
  await world.settle(user);
  const [item] = await world.activity(user, id);
  expect(item).toMatchObject({ status: 'skipped' });
  expect(await byHand(id)).toMatchObject({ status: 409, body: { code: 'not_repostable', message } });
  expect(await world.activity(user, id)).toEqual([item]);
  expect(await texts()).toEqual([]);
});

test('a download that failed is tried again by hand', async () => {
  const id = await world.rule(user, a, [b]);
  await world.foreign(a, {});
  await world.fire();
  await world.download(user, say('no_file', { reason: say('download_failed', { reason: 'timeout' }) }));
  await world.fire();
  expect(await world.activity(user, id)).toMatchObject([{ status: 'skipped', reason: 'no_file', repostable: true }]);
  expect((await byHand(id)).status).toBe(200);
  await world.settle(user);
  expect(await texts()).toEqual(['From my phone']);
});

test('content that every destination has stays refused', async () => {
  const id = await world.rule(user, a, [b], { filters: { contains: ['nothing'] } });
  await world.foreign(a, {});
  await world.fire();
  await world.service.db.execute(
    `insert into placement (origin_id, identity_id, remote_id, normal_text, published_at)
     select origin_id, $2, 'elsewhere', '', app_now() from firing where rule_id = $1`,
    [id, b.identityId],
  );
  expect((await byHand(id)).body.message).toBe(
    'The item cannot be reposted. Skipped: every destination has or had the video.',
  );
});

test('an own post whose video was deleted stays refused', async () => {
  const id = await world.rule(user, a, [b], { filters: { contains: ['nothing'] } });
  await world.own(user, a);
  await world.fire();
  await world.service.db.execute(`update media set state = 'gone' where user_id = $1`, [user.userId]);
  expect(await world.activity(user, id)).toMatchObject([{ reason: 'filtered_missing_word', repostable: false }]);
  expect(await byHand(id)).toMatchObject({ status: 409, body: { code: 'not_repostable' } });
});

test('two requests at once repost an item once', async () => {
  const id = await world.rule(user, a, [b], { filters: { contains: ['nothing'] } });
  await world.own(user, a);
  await world.fire();
  await Promise.all([byHand(id), byHand(id)]);
  await Promise.all([world.fire(), world.fire()]);
  expect(await texts()).toEqual(['From here']);
});

test('an unknown item is refused without waiting for decisions', async () => {
  await world.service.db.transaction(async (tx) => {
    await holdOrigins(tx, { alone: false });
    expect((await user.post(`/repost/${uuidv7()}/activity/${uuidv7()}/repost`)).status).toBe(404);
  });
});
