/** Decisions of several rules at once about posts that may show one video. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, SECOND } from '../../src/lib/time.ts';
import { waitingSessions } from '../harness/locks.ts';
import type { AccountRow } from '../harness/rows.ts';
import { eventually } from '../post/world.ts';
import { createWatchWorld, type WatchWorld } from './watch-world.ts';

let world: WatchWorld;
beforeAll(async () => {
  world = await createWatchWorld();
});
afterAll(() => world.close());

const byPhone = async (account: AccountRow, remoteId: string) => {
  await world.show(account, { remoteId, text: 'Good morning', durationMs: 5_100 });
  await world.db.clock.advance(SECOND);
};

test('two posts of one account never join one video', async () => {
  const { db } = world;
  const userId = await world.newUser();
  const [a, c, y, z] = await world.accounts(userId, 4);
  await world.rule(userId, c, [y, z]);
  const rules = [await world.rule(userId, a, [y]), await world.rule(userId, a, [z])];
  await world.posted(await world.send(userId, c, 'Good morning'), 'first');
  await world.check();
  await byPhone(a, 'one');
  await byPhone(a, 'two');
  for (const rule of rules) await world.pause(userId, rule);
  await world.later();
  for (const rule of rules) await world.pause(userId, rule, false);
  // Each rule begins with another post.
  await db.execute(
    `update firing f set due_at = app_now() + interval '1 hour' from watched_post w
     where w.id = f.watched_post_id and ((w.remote_id = 'two') = (f.rule_id = $1)) and f.rule_id = any($2::uuid[])`,
    [rules[0], rules],
  );
  let checked: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute('lock table placement in share row exclusive mode');
    checked = world.check();
    await eventually('both rules join the posts', async () => (await waitingSessions(db)) === 2);
  });
  await checked;
  await world.later(2 * HOUR);
  expect(world.errors).toEqual([]);
  // One of both posts is the video that is there, for both rules.
  const leftOut = /^(\w+): skipped (echo|already_there)$/;
  const names = rules.map(async (rule) => (await world.firings(rule)).flatMap((line) => leftOut.exec(line)?.[1] ?? []));
  const [first, second] = await Promise.all(names);
  expect(first).toHaveLength(1);
  expect(second).toEqual(first);
});

test('a repost decided during a join has its origin', async () => {
  const { db } = world;
  const userId = await world.newUser();
  const [a, y, z] = await world.accounts(userId, 3);
  const rules = [await world.rule(userId, a, [y]), await world.rule(userId, a, [z])];
  await world.posted(await world.send(userId, z, 'Good morning'), 'shown');
  await world.posted(await world.send(userId, a, 'Good morning'), 'same');
  let checked: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    // One decision waits before it inserts its repost, the other one before it ends its join.
    await tx.execute('lock table post in share mode');
    checked = world.check();
    await eventually(
      'one rule reposts the post, the other one joins it',
      async () => (await waitingSessions(db)) === 2,
    );
  });
  await checked;
  await world.later(2 * HOUR);
  expect(world.errors).toEqual([]);
  const origins = await db.query(
    `select distinct origin_id from target where identity_id = any($1::uuid[])
     union select origin_id from placement where identity_id = any($1::uuid[])`,
    [[a, y, z].map(({ identityId }) => identityId)],
  );
  expect(origins).toHaveLength(1);
  expect(await world.firings(rules[0] ?? '')).toEqual([expect.stringContaining('reposted')]);
});
