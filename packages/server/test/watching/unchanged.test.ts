/** What a check does that finds what is stored already. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Session, WatchedPost } from '../../src/connectors/contract.ts';
import { MINUTE, SECOND } from '../../src/lib/time.ts';
import { boundedList } from '../../src/watching/bounded-list.ts';
import { writeUnchanged } from '../../src/watching/checked-store.ts';
import { dueWatches } from '../../src/watching/watch-store.ts';
import type { AccountRow } from '../harness/rows.ts';
import { createWatchWorld, shownPost, type WatchWorld } from './watch-world.ts';

let world: WatchWorld;
let from: AccountRow;
let rule: string;
beforeAll(async () => {
  world = await createWatchWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.db.execute('truncate watch, identity, rule, placement, post cascade');
  world.shown.clear();
  const userId = await world.newUser();
  const [source, to] = await world.accounts(userId, 2);
  from = source;
  rule = await world.rule(userId, from, [to]);
  await world.db.clock.advance(SECOND);
  for (const remoteId of ['1', '2']) await world.show(from, { remoteId, text: `Text ${remoteId}` });
  await world.check();
});

const versions = () =>
  world.db.query<object>('select xmin::text, xmax::text, ctid::text from watched_post order by remote_id');

test('a check without news writes no found post', async () => {
  const before = await versions();
  expect(before).toHaveLength(2);
  await world.later();
  await world.later();
  expect(await versions()).toEqual(before);
  expect(await world.firings(rule)).toHaveLength(2);
});

/** Ends a claimed check with what the platform shows. @param change of the posts it shows */
async function end(change: (posts: WatchedPost[]) => WatchedPost[], { isWhole = true, isHeld = true } = {}) {
  await world.db.execute(`update watch set due_at = app_now(), lease_until = null`);
  const [claim] = await dueWatches.claim(world.db, { limit: 1, leaseMs: MINUTE });
  if (!claim) throw new Error('No check is due.');
  const startedAt = await world.now();
  const shown = (world.shown.get(claim.row.key) ?? []).map(shownPost);
  const { list } = boundedList({ list: async () => ({ posts: change(shown), next: '' }) });
  const { posts } = await list({} as Session, { cursor: '', since: 0, mark: null });
  const held = isHeld ? claim : { ...claim, fence: claim.fence - 1 };
  const checked = { startedAt, posts, mark: undefined, afterMs: MINUTE, problem: null, again: false, resume: null };
  const isEnded = await writeUnchanged(world.db, held, checked, isWhole ? startedAt - MINUTE : null);
  const [watch] = await world.db.query<{ version: number }>('select version from watch');
  expect((watch?.version ?? 0) - claim.row.version).toBe(isEnded ? 1 : 0);
  return isEnded;
}

const same = (posts: WatchedPost[]) => posts;
const edited = (posts: WatchedPost[]) => posts.map((post) => ({ ...post, text: `${post.text}, edited` }));
const hidden = (posts: WatchedPost[]) => posts.map((post) => ({ ...post, isPublic: false }));
const more = (posts: WatchedPost[]) => posts.flatMap((post) => [post, { ...post, remoteId: `${post.remoteId}0` }]);

test('a check with the same posts ends at once', async () => {
  await world.db.clock.advance(SECOND);
  expect(await end(same)).toBe(true);
});

test.each([
  ['an edited post', edited],
  ['a post that is private now', hidden],
  ['a new post', more],
  ['a missing post', (posts: WatchedPost[]) => posts.slice(1)],
])('a check with %s has more to store', async (_, change) => {
  await world.db.clock.advance(SECOND);
  expect(await end(change)).toBe(false);
});

test('a check of some posts does not miss the others', async () => {
  await world.db.clock.advance(SECOND);
  expect(await end((posts) => posts.slice(1), { isWhole: false })).toBe(true);
});

test('a check that lists a missing post again stores it', async () => {
  await world.db.execute(`update watched_post set missing_since = app_now() where remote_id = '1'`);
  expect(await end(same)).toBe(false);
});

test('a check opens what was skipped as private', async () => {
  await world.db.execute(
    `update firing set state = 'skipped', reason = '{"code": "source_private", "params": {}}', due_at = null`,
  );
  expect(await end(same)).toBe(false);
});

test('a check that lost its watch stores nothing', async () => {
  expect(await end(same, { isHeld: false })).toBe(false);
});
