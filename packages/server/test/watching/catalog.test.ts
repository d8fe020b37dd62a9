import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { removePost } from '../../src/posts/change.ts';
import type { AccountRow } from '../harness/rows.ts';
import { makeVideo } from '../media/fixtures.ts';
import { type Source, serveVideo } from '../post/video-address-world.ts';
import { createWatchWorld, type WatchWorld } from './watch-world.ts';

let world: WatchWorld;
let files: Source;
let userId: string;
let [a, b]: AccountRow[] = [];

beforeAll(async () => {
  world = await createWatchWorld();
  files = await serveVideo(await makeVideo());
});
afterAll(async () => {
  await files.close();
  await world.close();
});
beforeEach(async () => {
  await world.db.execute('truncate watch, identity, rule, placement, post, media cascade');
  world.shown.clear();
  userId = await world.newUser();
  [a, b] = [await world.account(userId), await world.account(userId)];
  world.flow.file = async () => ({ found: 'file', url: `${files.origin}/video.mp4` });
});
afterEach(() => {
  expect(world.errors.splice(0)).toEqual([]);
});

const from = () => a as AccountRow;

/** A rule, and three older posts of its source, the oldest first. @returns the rule and the posts' ids */
async function older() {
  for (const remoteId of ['1', '2', '3']) {
    await world.show(from(), { remoteId });
    await world.db.clock.advance(HOUR);
  }
  const rule = await world.rule(userId, from(), [b as AccountRow]);
  await world.check();
  const { posts } = await world.catalog(userId, from());
  const ids = posts.toSorted((x, y) => x.remoteId.localeCompare(y.remoteId)).map(({ id }) => id);
  return { rule, ids };
}

/** Advances this number of days in steps. */
async function pass(days: number) {
  for (let step = 0; step < days * 8; step++) await world.later(DAY / 8);
}

const order = async () =>
  (await world.db.query<{ description: string }>('select description from post order by date, id')).map(
    ({ description }) => description,
  );

test('older posts are listed without being reposted', async () => {
  const { rule, ids } = await older();
  expect(ids).toHaveLength(3);
  await world.later();
  expect(await world.firings(rule)).toEqual([]);
});

test('selected posts are reposted daily, oldest first', async () => {
  const { rule, ids } = await older();
  await world.select(rule, { order: 'oldest', perDay: 1, items: ids.toReversed() });
  await world.check();
  await world.check();
  expect(await order()).toEqual(['Post 1']);
  await pass(1);
  expect(await order()).toEqual(['Post 1', 'Post 2']);
  await pass(1);
  expect(await order()).toEqual(['Post 1', 'Post 2', 'Post 3']);
});

test('the newest are first if the rule requires it', async () => {
  const { rule, ids } = await older();
  await world.select(rule, { order: 'newest', perDay: 2, items: ids });
  await world.check();
  await pass(0.5);
  expect(await order()).toEqual(['Post 3', 'Post 2']);
});

test('a new order applies to what waits', async () => {
  const { rule, ids } = await older();
  await world.show(from(), { remoteId: '0', publishedAt: (await world.now()) - DAY });
  await world.db.clock.advance(10 * MINUTE);
  const { posts } = await world.catalog(userId, from());
  const items = posts.map(({ id }) => id);
  expect(items).toHaveLength(ids.length + 1);
  await world.select(rule, { order: 'oldest', perDay: 1, items });
  await world.check();
  await world.select(rule, { order: 'newest', perDay: 1, items });
  await pass(2);
  expect(await order()).toEqual(['Post 0', 'Post 3', 'Post 2']);
});

test('a new pace applies to what waits', async () => {
  const { rule, ids } = await older();
  await world.select(rule, { order: 'oldest', perDay: 1, items: ids });
  await world.check();
  await world.select(rule, { order: 'oldest', perDay: 8, items: ids });
  await pass(0.25);
  expect(await order()).toEqual(['Post 1', 'Post 2', 'Post 3']);
});

test('a pause keeps the pace', async () => {
  const { rule, ids } = await older();
  await world.select(rule, { order: 'oldest', perDay: 1, items: ids });
  await world.check();
  await world.pause(userId, rule);
  await pass(3);
  expect(await order()).toEqual(['Post 1']);
  await world.pause(userId, rule, false);
  await world.check();
  expect(await order()).toEqual(['Post 1', 'Post 2']);
});

test('deselected posts are not reposted', async () => {
  const { rule, ids } = await older();
  await world.select(rule, { order: 'oldest', perDay: 1, items: ids });
  await world.check();
  await world.select(rule, null);
  await pass(3);
  expect(await order()).toEqual(['Post 1']);
  expect(await world.firings(rule)).toEqual(['1: reposted']);
});

test('a selection that is repeated reposts nothing twice', async () => {
  const { rule, ids } = await older();
  for (let round = 0; round < 3; round++) {
    await world.select(rule, { order: 'oldest', perDay: 50, items: ids });
    await world.check();
    await world.later(HOUR);
  }
  await pass(1);
  expect(await order()).toEqual(['Post 1', 'Post 2', 'Post 3']);
});

test('an old post on the destination is an echo', async () => {
  const { rule, ids } = await older();
  await world.db.execute(
    `insert into placement (origin_id, identity_id, remote_id, duration_ms, is_measured, normal_text, content_key,
       published_at)
     values (uuid_v7(), $1, 'x', 4000, true, 'post 1', 'post1', app_now() - interval '3 years')`,
    [b?.identityId],
  );
  await world.select(rule, { order: 'oldest', perDay: 50, items: ids.slice(0, 1) });
  await world.check();
  await world.later(MINUTE);
  expect(await world.firings(rule)).toEqual(['1: skipped echo']);
});

test("a removed entry does not block its post's selection", async () => {
  const rule = await world.rule(userId, from(), [b as AccountRow]);
  await world.pause(userId, rule);
  const target = await world.send(userId, from(), 'Made here');
  await world.posted(target, '1');
  await world.show(from(), { remoteId: '1', text: 'Made here' });
  await world.check();
  await world.pause(userId, rule, false);
  const [entry] = await world.db.query<{ id: string }>('select post_id as id from target where id = $1', [target]);
  await removePost({ db: world.db }, userId, entry?.id ?? '');
  const { posts } = await world.catalog(userId, from());
  await world.select(rule, { order: 'oldest', perDay: 1, items: posts.map(({ id }) => id) });
  await world.check();
  await world.check();
  expect(await order()).toEqual(['Made here']);
});

test.each(['kept', 'removed'])('an old post matches an unproven send, entry %s', async (entry) => {
  const target = await world.send(userId, from(), 'Made here');
  await world.db.execute(
    `update target set state = 'failed', code = 'outcome_unknown', due_at = null, settled_at = app_now(),
       committed_at = app_now(), begun_at = app_now(), unproven = true where id = $1`,
    [target],
  );
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1', text: 'Made here', durationMs: 5_000 });
  await world.db.clock.advance(30 * DAY);
  const [row] = await world.db.query<{ id: string }>('select post_id as id from target where id = $1', [target]);
  if (entry === 'removed') await removePost({ db: world.db }, userId, row?.id ?? '');
  await world.rule(userId, from(), [b as AccountRow]);
  await world.check();
  await world.catalog(userId, from());
  await world.check();
  await world.later();
  expect((await world.found())['1']?.state).toBe('own');
});

test('an item of another source is refused', async () => {
  const { rule } = await older();
  const other = await world.account(userId);
  await world.show(other, { remoteId: '9' });
  const { posts } = await world.catalog(userId, other);
  const items = posts.map(({ id }) => id);
  await expect(world.select(rule, { order: 'oldest', perDay: 1, items })).rejects.toThrow('not in the back catalog');
  await expect(world.select(rule, { order: 'oldest', perDay: 1, items: ['x'] })).rejects.toThrow('"x"');
});

test('selected posts do not count against the limit', async () => {
  const { rule, ids } = await older();
  await world.db.clock.advance(SECOND);
  await world.select(rule, { order: 'oldest', perDay: 50, items: ids });
  await world.check();
  await pass(0.25);
  await world.db.execute(`update rule set options = options || '{"maxPerDay": 1}' where id = $1`, [rule]);
  await world.show(from(), { remoteId: '4' });
  await world.later(HOUR);
  expect(await order()).toContain('Post 4');
});
