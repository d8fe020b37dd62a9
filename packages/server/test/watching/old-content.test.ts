import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, SECOND } from '../../src/lib/time.ts';
import { sweepActivity } from '../../src/maintenance/rows.ts';
import { makeVideo } from '../media/fixtures.ts';
import { type Source, serveVideo } from '../post/video-address-world.ts';
import { createWatchWorld, type WatchWorld } from './watch-world.ts';

let world: WatchWorld;
let files: Source;
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
  delete world.flow.file;
});
afterEach(() => {
  expect(world.errors.splice(0)).toEqual([]);
});

const gives = async () => ({ found: 'file' as const, url: `${files.origin}/video.mp4` });

/**
 * Anna posts through us on an account that Ben connected too. His rule skips it, because there is no file then, and 91
 * days later nothing is left but the ledger.
 * @param publishedAt null: the platform gives no times
 */
async function forgotten(publishedAt?: null) {
  const { db } = world;
  const [anna, ben] = [await world.newUser(), await world.newUser()];
  const ofAnna = await world.account(anna);
  const ofBen = await world.account(ben, ofAnna);
  const rule = await world.rule(ben, ofBen, [await world.account(ben)]);
  await world.posted(await world.send(anna, ofAnna, 'Spring sale, today only'), '1');
  await world.show(ofAnna, {
    remoteId: '1',
    text: 'Spring sale, today only',
    ...(publishedAt === null ? { publishedAt } : {}),
  });
  await world.check();
  expect(await world.firings(rule)).toEqual(['1: skipped no_file']);
  await db.clock.advance(91 * DAY);
  await sweepActivity(db);
  expect(await world.found()).toEqual({});
  world.flow.file = gives;
  return { ben, ofBen, rule };
}

const reposts = () => world.db.query('select description from post where is_repost');

test.each([
  ['with a time', undefined],
  ['without a time', null],
])('a post %s is not decided again after 90 days', async (_, publishedAt) => {
  const { rule } = await forgotten(publishedAt);
  for (let round = 0; round < 3; round++) await world.later(HOUR);
  expect(await world.firings(rule)).toEqual([]);
  expect(await reposts()).toEqual([]);
});

test.each([
  ['with a time', undefined],
  ['without a time', null],
])('listing an old post %s as back catalog reposts nothing', async (_, publishedAt) => {
  const { ben, ofBen, rule } = await forgotten(publishedAt);
  const { posts } = await world.catalog(ben, ofBen);
  await world.check();
  expect(await world.firings(rule)).toEqual([]);
  await world.select(rule, { order: 'oldest', perDay: 1, items: posts.map(({ id }) => id) });
  await world.check();
  expect(await world.firings(rule)).toEqual(['1: reposted']);
});

test('an old firing is decided when its rule is resumed', async () => {
  const userId = await world.newUser();
  const from = await world.account(userId);
  const rule = await world.rule(userId, from, [await world.account(userId)]);
  world.flow.file = gives;
  await world.db.execute(`update rule set options = '{"delayMinutes": 60}'`);
  await world.db.clock.advance(SECOND);
  await world.show(from, { remoteId: '1' });
  await world.check();
  await world.pause(userId, rule);
  await world.later(120 * DAY);
  await sweepActivity(world.db);
  await world.pause(userId, rule, false);
  await world.check();
  expect(await world.firings(rule)).toEqual(['1: reposted']);
});

test('a recent post is found by the ledger alone', async () => {
  const userId = await world.newUser();
  const [from, to] = [await world.account(userId), await world.account(userId)];
  await world.rule(userId, from, [to]);
  await world.db.clock.advance(SECOND);
  await world.db.execute(
    `insert into placement (origin_id, identity_id, remote_id, normal_text, published_at)
     values (uuid_v7(), $1, '1', 'post 1', app_now())`,
    [from.identityId],
  );
  await world.show(from, { remoteId: '1' });
  await world.check();
  expect(Object.keys(await world.found())).toEqual(['1']);
});

test('a forgotten post that may be ours stays ours', async () => {
  const { db } = world;
  const userId = await world.newUser();
  const [from, to] = [await world.account(userId), await world.account(userId)];
  const rule = await world.rule(userId, from, [to]);
  await db.execute(
    `update target set state = 'failed', code = 'outcome_unknown', due_at = null, committed_at = app_now(),
       settled_at = app_now() where id = $1`,
    [await world.send(userId, from, '')],
  );
  await db.clock.advance(SECOND);
  await world.show(from, { remoteId: '1', text: '', durationMs: null });
  await world.check();
  expect(await world.found()).toMatchObject({ 1: { state: 'echo' } });
  await db.clock.advance(91 * DAY);
  await sweepActivity(db);
  expect(await world.found()).toEqual({});
  const { posts } = await world.catalog(userId, from);
  await world.select(rule, { order: 'oldest', perDay: 1, items: posts.map(({ id }) => id) });
  await world.check();
  expect(await world.found()).toMatchObject({ 1: { state: 'echo' } });
  expect(await world.firings(rule)).toEqual(['1: skipped echo']);
});
