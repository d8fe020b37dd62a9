import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { entryPage } from '../../src/notifications/entries.ts';
import { createFiringWorld, type FiringWorld } from '../repost/firing-world.ts';
import { failTarget, retryPost } from './world.ts';

let world: FiringWorld;
beforeAll(async () => {
  world = await createFiringWorld();
});
afterAll(() => world.db.drop());

/** Publishes a post on the source of a rule with two destinations. @param before it is reposted */
async function repost(before: (userId: string, to: string[]) => Promise<unknown>) {
  const userId = await world.newUser();
  const [a, b, c] = await Promise.all([world.account(userId), world.account(userId), world.account(userId)]);
  await world.rule(userId, a, [b, c]);
  const { targets } = await world.post(userId, [a]);
  await before(userId, [b.id, c.id]);
  for (const target of targets) await world.posted(target);
  await world.fire();
  const facts = () =>
    world.db.query<{ occurrence: string }>('select occurrence from notification where user_id = $1', [userId]);
  return { page: async () => (await entryPage({ db: world.db, connectors }, userId, { limit: 10 })).entries, facts };
}

test('a repost that the plan forbids is a notification', async () => {
  const { page, facts } = await repost((userId) =>
    world.db.execute('update usage set posts = 10000 where user_id = $1', [userId]),
  );
  expect(await page()).toMatchObject([
    {
      kind: 'post_failed',
      isResolved: false,
      post: { failed: [{ code: 'plan_limit_reached' }, { code: 'plan_limit_reached' }] },
    },
  ]);
  expect(await facts()).toHaveLength(2);
});

test('a repost to an account without access is a notification', async () => {
  const { page, facts } = await repost((_userId, [id]) =>
    world.db.execute(`update account set status = 'EXPIRED' where id = $1`, [id]),
  );
  const entries = await page();
  expect(entries.map(({ kind }) => kind).sort()).toEqual(['account_reconnect', 'post_failed']);
  const failed = entries.find(({ kind }) => kind === 'post_failed');
  expect(failed?.post?.failed).toMatchObject([{ code: 'reconnect_required' }]);
  expect(await facts()).toHaveLength(2);
});

test('a repost that fails again after a retry notifies again', async () => {
  const { page, facts } = await repost((_userId, [, id]) =>
    world.db.execute(
      `update account set capabilities = jsonb_set(capabilities, '{caption,maxLength}', '5') where id = $1`,
      [id],
    ),
  );
  const [entry] = await page();
  expect(entry?.post?.failed).toMatchObject([{ code: 'caption_rejected' }]);
  expect(await facts()).toHaveLength(1);
  const postId = entry?.postId ?? '';
  await retryPost(world.db, postId);
  expect(await page()).toMatchObject([{ isResolved: true }]);
  const [retried] = await world.db.query<{ id: string }>(
    `select id from target where post_id = $1 and state = 'waiting'`,
    [postId],
  );
  await failTarget(world.db, retried?.id ?? '');
  expect(await page()).toMatchObject([{ isResolved: false, unread: true }]);
  expect(await facts()).toHaveLength(2);
});

test('a repost that is only scheduled is no notification', async () => {
  const { page } = await repost(async () => {});
  expect(await page()).toEqual([]);
});
