import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_KEPT } from '../../src/lineage/firings.ts';
import { sweepOldVideos, sweepOrphans } from '../../src/maintenance/media.ts';
import { removePost } from '../../src/posts/change.ts';
import { createFiring } from '../../src/reposts/firing.ts';
import { dueFirings } from '../../src/reposts/firing-store.ts';
import { deleteRule, pauseRule } from '../../src/reposts/service.ts';
import type { Storage } from '../../src/storage/contract.ts';
import type { AccountRow } from '../harness/rows.ts';
import { createFiringWorld, type FiringWorld } from './firing-world.ts';

let world: FiringWorld;
let userId: string;
let a: AccountRow;
let b: AccountRow;
let c: AccountRow;
beforeAll(async () => {
  world = await createFiringWorld();
});
beforeEach(async () => {
  userId = await world.newUser();
  [a, b, c] = [await world.account(userId), await world.account(userId), await world.account(userId)];
});
afterAll(async () => {
  expect(world.errors).toEqual([]);
  await world.db.drop();
});

interface Repost {
  id: string;
  rule_id: string;
  repost_of: string;
  is_repost: boolean;
  scheduled: boolean;
  origin_id: string;
  media_id: string;
  description: string;
  preview_time_ms: number;
  targets: { id: string; account: string; state: string; code: string | null; detail: string | null; due: boolean }[];
}

/** The user's reposts, oldest first. */
const reposts = () =>
  world.db.query<Repost>(
    `select p.*, (select json_agg(json_build_object('id', t.id, 'account', t.account_id, 'state', t.state, 'code', t.code,
       'detail', t.detail, 'due', t.due_at <= app_now()) order by t.position) from target t where t.post_id = p.id) as targets
     from post p where p.user_id = $1 and p.is_repost order by p.created_at, p.id`,
    [userId],
  );
const open = async () =>
  (await world.db.query(`select from firing where user_id = $1 and state = 'waiting'`, [userId])).length;
const used = async () =>
  (await world.db.query<{ posts: number }>('select posts from usage where user_id = $1', [userId]))[0]?.posts;

/** Posts on some accounts and publishes the first of them. */
async function publish(to: readonly AccountRow[], text?: string) {
  const post = await world.post(userId, to, text);
  await world.posted(post.targets[0] ?? '');
  return post;
}

test('a source post becomes one repost to every destination', async () => {
  const ruleId = await world.rule(userId, a, [b, c]);
  const source = await publish([a], 'Sunset run #sea');
  await world.fire();
  const [repost, ...more] = await reposts();
  expect(more).toEqual([]);
  expect(repost).toMatchObject({
    rule_id: ruleId,
    repost_of: source.id,
    origin_id: source.id,
    media_id: source.mediaId,
    description: 'Sunset run #sea',
    preview_time_ms: 1500,
    is_repost: true,
    scheduled: false,
  });
  expect(repost?.targets).toEqual([
    { id: expect.any(String), account: b.id, state: 'scheduled', code: null, detail: null, due: true },
    { id: expect.any(String), account: c.id, state: 'scheduled', code: null, detail: null, due: true },
  ]);
  const lanes = await world.db.query('select next_due_at <= app_now() as due from lane where identity_id = any($1)', [
    [b.identityId, c.identityId],
  ]);
  expect(lanes).toEqual([{ due: true }, { due: true }]);
});

test('one firing counts one post and one entry', async () => {
  await world.rule(userId, a, [b, c]);
  await publish([a]);
  await world.fire();
  expect(await used()).toBe(2);
  const [counter] = await world.db.query('select posts from user_counter where user_id = $1', [userId]);
  expect(counter).toEqual({ posts: 2 });
  expect(await open()).toBe(0);
  await world.fire();
  expect(await reposts()).toHaveLength(1);
});

test('a rule fires only for posts of its own source', async () => {
  await world.rule(userId, a, [b]);
  await publish([c]);
  await world.fire();
  expect(await reposts()).toEqual([]);
});

describe('a destination', () => {
  test('that the user posted to gets the content once', async () => {
    await world.rule(userId, a, [b, c]);
    await publish([a, b]);
    await world.fire();
    expect((await reposts())[0]?.targets.map(({ account }) => account)).toEqual([c.id]);
    await publish([a, b, c]);
    await world.fire();
    expect(await reposts()).toHaveLength(1);
    expect(await open()).toBe(0);
    expect(await used()).toBe(3);
  });

  test('with a removed entry does not get the content again', async () => {
    const post = await world.post(userId, [b]);
    await world.posted(post.targets[0] ?? '');
    await world.rule(userId, a, [b]);
    const again = await world.post(userId, [a]);
    await world.db.execute('update post set origin_id = $2 where id = $1', [again.id, post.id]);
    await world.db.execute('update target set origin_id = $2 where post_id = $1', [again.id, post.id]);
    await removePost(settings(), userId, post.id);
    await world.posted(again.targets[0] ?? '');
    await world.fire();
    expect(await reposts()).toEqual([]);
  });

  test.each(['EXPIRED', 'REVOKED'])('that is %s fails at once without affecting the others', async (status) => {
    await world.rule(userId, a, [b, c]);
    await world.db.execute('update account set status = $2 where id = $1', [b.id, status]);
    await publish([a]);
    await world.fire();
    expect((await reposts())[0]?.targets).toMatchObject([
      { account: b.id, state: 'failed', code: 'reconnect_required', due: null },
      { account: c.id, state: 'scheduled' },
    ]);
  });

  test('with a shorter text limit fails without truncation', async () => {
    await world.rule(userId, a, [b, c]);
    await world.db.execute(
      `update account set capabilities = jsonb_set(capabilities, '{caption,maxLength}', '5') where id = $1`,
      [c.id],
    );
    await publish([a], 'longer than five');
    await world.fire();
    const [repost] = await reposts();
    expect(repost?.description).toBe('longer than five');
    expect(repost?.targets).toMatchObject([
      { account: b.id, state: 'scheduled' },
      { account: c.id, state: 'failed', code: 'caption_rejected', detail: expect.stringContaining('5') },
    ]);
  });
});

test('a repost past the plan is listed but not counted', async () => {
  await world.rule(userId, a, [b, c]);
  const post = await world.post(userId, [a]);
  await world.db.execute('update usage set posts = 10000 where user_id = $1', [userId]);
  await world.posted(post.targets[0] ?? '');
  await world.fire();
  const [repost] = await reposts();
  expect(repost?.targets).toMatchObject([
    { state: 'failed', code: 'plan_limit_reached', detail: expect.stringContaining('10,000') },
    { state: 'failed', code: 'plan_limit_reached' },
  ]);
  expect(await used()).toBe(10_000);
  const told = await world.db.query('select event from timeline where target_id = $1', [repost?.targets[0]?.id]);
  expect(told).toEqual([{ event: 'failed' }]);
});

describe('a paused rule', () => {
  test('keeps pending reposts and makes them when resumed', async () => {
    const ruleId = await world.rule(userId, a, [b]);
    await publish([a]);
    await pauseRule({ db: world.db, connectors: {} }, userId, ruleId, { isPaused: true });
    await world.fire();
    expect(await reposts()).toEqual([]);
    expect(await open()).toBe(1);
    await world.db.clock.advance(86_400_000);
    await world.fire();
    expect(await reposts()).toEqual([]);
    await pauseRule({ db: world.db, connectors: {} }, userId, ruleId, { isPaused: false });
    await world.fire();
    expect(await reposts()).toHaveLength(1);
  });

  test('never reposts what was posted during the pause', async () => {
    const ruleId = await world.rule(userId, a, [b]);
    await pauseRule({ db: world.db, connectors: {} }, userId, ruleId, { isPaused: true });
    await publish([a]);
    await pauseRule({ db: world.db, connectors: {} }, userId, ruleId, { isPaused: false });
    await world.fire();
    expect(await reposts()).toEqual([]);
  });

  test('that keeps posts makes their reposts when resumed', async () => {
    const ruleId = await world.rule(userId, a, [b]);
    const pause = (between: 'skip' | 'keep') =>
      pauseRule({ db: world.db, connectors: {} }, userId, ruleId, { isPaused: true, between });
    await pause('skip');
    await publish([a]);
    await world.db.clock.advance(60_000);
    await pause('keep');
    await publish([a]);
    await world.fire();
    expect(await reposts()).toEqual([]);
    expect(await open()).toBe(1);
    await pauseRule({ db: world.db, connectors: {} }, userId, ruleId, { isPaused: false });
    await world.fire();
    expect(await reposts()).toHaveLength(1);
  });

  test('keeps a limited number of posts', async () => {
    const ruleId = await world.rule(userId, a, [b]);
    await pauseRule({ db: world.db, connectors: {} }, userId, ruleId, { isPaused: true, between: 'keep' });
    await world.db.execute(
      `insert into firing (rule_id, user_id, origin_id, target_id, due_at, is_catalog)
       select $1, $2, uuid_v7(), uuid_v7(), null, n >= $3 from generate_series(1, 2 * $3) n`,
      [ruleId, userId, MAX_KEPT],
    );
    await publish([a]);
    await publish([a]);
    const states = await world.db.query(
      `select state, reason->>'code' as code, count(*)::integer from firing
       where rule_id = $1 and not is_catalog group by 1, 2 order by 3`,
      [ruleId],
    );
    expect(states).toEqual([
      { state: 'skipped', code: 'posted_while_paused', count: 1 },
      { state: 'waiting', code: null, count: MAX_KEPT },
    ]);
    await deleteRule(world.db, userId, ruleId);
  });

  test('releases what it kept when deleted', async () => {
    const ruleId = await world.rule(userId, a, [b]);
    await publish([a]);
    await pauseRule({ db: world.db, connectors: {} }, userId, ruleId, { isPaused: true });
    await world.fire();
    await deleteRule(world.db, userId, ruleId);
    expect(await open()).toBe(0);
    expect(await reposts()).toEqual([]);
  });
});

test('a rule deleted before firing does nothing', async () => {
  const ruleId = await world.rule(userId, a, [b]);
  await publish([a]);
  await deleteRule(world.db, userId, ruleId);
  await world.fire();
  expect(await reposts()).toEqual([]);
  expect(await open()).toBe(0);
});

test('deleting a rule removes its queued reposts', async () => {
  const ruleId = await world.rule(userId, a, [b, c]);
  await publish([a]);
  await world.fire();
  await deleteRule(world.db, userId, ruleId);
  expect(await reposts()).toEqual([]);
  expect(await used()).toBe(1);
});

test('deleting a rule removes a queued repost that partly failed', async () => {
  const ruleId = await world.rule(userId, a, [b, c]);
  await world.db.execute(`update account set status = 'EXPIRED' where id = $1`, [b.id]);
  await publish([a]);
  await world.fire();
  await deleteRule(world.db, userId, ruleId);
  expect(await reposts()).toEqual([]);
});

test('deleting a rule keeps entries of finished reposts', async () => {
  const ruleId = await world.rule(userId, a, [b]);
  await world.db.execute(`update account set status = 'EXPIRED' where id = $1`, [b.id]);
  await publish([a]);
  await world.fire();
  await deleteRule(world.db, userId, ruleId);
  expect(await reposts()).toHaveLength(1);
});

const noStorage = {} as Storage;
const settings = () => ({ db: world.db, config: { plans: world.plans, sandbox: true, leastFreeBytes: 0 }, wake() {} });
const upkeep = () => ({ db: world.db, storage: noStorage, retentionDays: 30, onError: () => {} });
const media = async (id: string) =>
  (await world.db.query<{ state: string }>('select state from media where id = $1', [id]))[0]?.state;

describe('the video', () => {
  test('outlives its post while a rule must still act', async () => {
    await world.rule(userId, a, [b]);
    const post = await publish([a], 'Kept');
    await removePost(settings(), userId, post.id);
    await sweepOrphans(upkeep());
    expect(await media(post.mediaId)).toBe('stored');
    await world.fire();
    const [repost] = await reposts();
    expect(repost).toMatchObject({ media_id: post.mediaId, description: 'Kept', repost_of: post.id });
    expect(await media(post.mediaId)).toBe('stored');
    await world.posted(repost?.targets[0]?.id ?? '');
    await removePost(settings(), userId, repost?.id ?? '');
    expect(await media(post.mediaId)).toBeUndefined();
  });

  test('is available whenever its post is removed', async () => {
    const other = world.db.another(4);
    await world.rule(userId, a, [b]);
    for (let round = 0; round < 15; round++) {
      const post = await publish([a]);
      await Promise.all([world.fire(other), removePost(settings(), userId, post.id)]);
      // A firing whose row the removal locks is skipped, and found at the next poll.
      await world.fire();
      const made = (await reposts()).filter((each) => each.origin_id === post.id);
      expect(made).toHaveLength(1);
      expect(made[0]?.media_id).toBe(post.mediaId);
      expect(await media(post.mediaId)).toBe('stored');
    }
  });

  test('is deleted with the rule it was kept for', async () => {
    const ruleId = await world.rule(userId, a, [b]);
    const post = await publish([a]);
    await pauseRule({ db: world.db, connectors: {} }, userId, ruleId, { isPaused: true });
    await removePost(settings(), userId, post.id);
    await world.fire();
    expect(await media(post.mediaId)).toBe('stored');
    await deleteRule(world.db, userId, ruleId);
    await sweepOrphans(upkeep());
    expect(await media(post.mediaId)).toBeUndefined();
  });

  test('is deleted when every destination already has the content', async () => {
    await world.rule(userId, a, [b]);
    const post = await publish([a, b]);
    await world.posted(post.targets[1] ?? '');
    await removePost(settings(), userId, post.id);
    await world.fire();
    expect(await media(post.mediaId)).toBeUndefined();
  });

  test('is not swept while a paused rule needs it', async () => {
    const ruleId = await world.rule(userId, a, [b]);
    const post = await publish([a]);
    await pauseRule({ db: world.db, connectors: {} }, userId, ruleId, { isPaused: true });
    await world.fire();
    await world.db.clock.advance(400 * 86_400_000);
    await sweepOldVideos(upkeep());
    expect(await media(post.mediaId)).toBe('stored');
    await deleteRule(world.db, userId, ruleId);
    await sweepOldVideos(upkeep());
    expect(await media(post.mediaId)).toBe('gone');
  });
});

test('a worker that lost the firing writes nothing', async () => {
  await world.rule(userId, a, [b]);
  await publish([a]);
  const slow = world.db.another(2);
  const [claim] = await dueFirings.claim(slow, { limit: 1, leaseMs: 1_000 });
  await world.db.clock.advance(2_000);
  await world.fire();
  const firing = createFiring({
    db: slow,
    config: { plans: world.plans },
    connectors: {},
    downloads: false,
    wake() {},
    onFile() {},
    findShown: async () => new Map(),
  });
  if (!claim) throw new Error('Nothing was due.');
  await expect(firing(claim)).rejects.toThrow('Another worker');
  expect(await reposts()).toHaveLength(1);
  expect(await used()).toBe(2);
});

test('a failed firing is reported and retried', async () => {
  await world.rule(userId, a, [b]);
  await publish([a]);
  await world.db.execute('alter table post add constraint no_reposts check (not is_repost) not valid');
  await world.fire();
  expect(world.errors.splice(0)).toHaveLength(1);
  await world.fire();
  expect(world.errors).toEqual([]);
  await world.db.execute('alter table post drop constraint no_reposts');
  await world.db.clock.advance(10_000);
  await world.fire();
  expect(await reposts()).toHaveLength(1);
});
