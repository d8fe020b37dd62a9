import { afterAll, beforeAll, expect, test } from 'vitest';
import { markGone } from '../../src/watching/source-file-store.ts';
import { waitingSessions } from '../harness/locks.ts';
import { eventually } from '../post/world.ts';
import { createRuleWorld, type RuleWorld } from './rule-world.ts';

let world: RuleWorld;
beforeAll(async () => {
  world = await createRuleWorld();
});
afterAll(() => world.service.close());

const waits = async () => (await waitingSessions(world.service.db)) > 0;

/** A rule that is about to repost, and the found post. */
async function scene() {
  const user = await world.service.newUser();
  const [a, b] = [await world.account(user), await world.account(user)];
  const rule = await world.rule(user, a, [b]);
  await world.foreign(a, {});
  await world.fire();
  await world.download(user);
  const [post] = await world.service.db.query<{ id: string }>('select id from watched_post where identity_id = $1', [
    a.identityId,
  ]);
  return { user, rule, postId: post?.id ?? '' };
}

test('a removal recorded during a decision prevents the repost', async () => {
  const { user, rule, postId } = await scene();
  let fired: Promise<void> | undefined;
  await world.service.db.transaction(async (tx) => {
    await markGone(tx, postId);
    fired = world.fire();
    await eventually('the decision waits for the removal', waits);
  });
  await fired;
  expect(await world.activity(user, rule)).toMatchObject([{ status: 'skipped', reason: 'gone' }]);
  expect(await world.reposts(user)).toEqual([]);
  expect(world.errors).toEqual([]);
});

test('a removal recorded during the repost withdraws it', async () => {
  const { db } = world.service;
  const { user, rule, postId } = await scene();
  let marked: Promise<void> | undefined;
  let fired: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    // The decision has locked the found post, and waits to insert the repost.
    await tx.execute('lock table post in share row exclusive mode');
    fired = world.fire();
    await eventually('the decision waits', waits);
    marked = db.transaction((other) => markGone(other, postId));
    await eventually('the removal waits for the decision', async () => (await waitingSessions(db)) > 1);
  });
  await fired;
  await marked;
  await world.fire();
  expect(await world.activity(user, rule)).toMatchObject([{ status: 'skipped', reason: 'gone' }]);
  expect(await world.reposts(user)).toEqual([]);
  expect(world.errors).toEqual([]);
});
