import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FAILED_AT_ONCE } from '../../src/accounts/connect/disconnect-service.ts';
import { deleteRule } from '../../src/reposts/service.ts';
import { deleteUser } from '../../src/users/service.ts';
import { countWork } from '../harness/work.ts';
import { makeRule } from './posts.ts';
import { type AccountWorld, createAccountWorld } from './world.ts';

let world: AccountWorld;
beforeAll(async () => {
  world = await createAccountWorld();
});
afterAll(() => world.close());

const POSTS = 10_000;

/** Inserts posts on an account: half were published, half wait, these by a rule. They count in two months. */
async function addPosts(userId: string, accountId: string, { ruleId, count }: { ruleId: string; count: number }) {
  await world.db.execute(
    `with made as (
       select uuid_v7() as id, n % 2 = 0 as waits, app_now() - (n % 2 + n % 4) * interval '16 days' as at
       from generate_series(1, $4) n),
     stored as (
       insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
         select id, $1, 'videos/' || id, id || '.jpg', 1, '\\x00', '{}', 'stored' from made returning id),
     posted as (
       insert into post (id, user_id, origin_id, media_id, rule_id, is_repost, description, preview_time_ms, scheduled,
           date, created_at)
         select m.id, $1, m.id, m.id, case when waits then $3::uuid end, waits, '', 0, false, at, at
         from made m join stored using (id) returning id)
     insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at, counts_from,
         begun_at)
       select uuid_v7(), m.id, $1, a.id, a.identity_id, m.id, 0, case when waits then 'scheduled' else 'posted' end,
         case when waits then app_now() + interval '1 hour' end, at, case when not waits then at end
       from made m join posted using (id) cross join account a where a.id = $2`,
    [userId, accountId, ruleId, count],
  );
}

/** A user with posts and reposts that a rule queued. */
async function userWith(count: number) {
  const userId = await world.newUser();
  const [from, to] = [await world.connect(userId, `from-${userId}`), await world.connect(userId, `to-${userId}`)];
  const ruleId = await makeRule(world.db, userId, from, [to]);
  await addPosts(userId, to, { ruleId, count });
  return { userId, from, to, ruleId };
}

type Scene = Awaited<ReturnType<typeof userWith>>;

describe('takes as many statements for thousands of posts as for ten', () => {
  let few: Scene;
  let many: Scene;
  beforeEach(async () => {
    few = await userWith(10);
    many = await userWith(POSTS);
  });

  async function statements(run: () => Promise<unknown>): Promise<number> {
    return (await countWork(run)).work.statements;
  }
  const disconnect = ({ userId }: Scene, accountId: string) =>
    statements(() => world.accounts.disconnect({ userId, accountId, actor: 'session' }));

  test('disconnecting the account', async () => {
    // Two statements for each batch of those that wait.
    const more = 2 * Math.floor(POSTS / 2 / FAILED_AT_ONCE);
    expect(await disconnect(many, many.to)).toBe((await disconnect(few, few.to)) + more);
  });

  test('disconnecting the source of the rule', async () => {
    expect(await disconnect(many, many.from)).toBe(await disconnect(few, few.from));
    expect(await world.db.query('select from post where rule_id = $1', [many.ruleId])).toEqual([]);
  });

  test('deleting the rule', async () => {
    const remove = ({ userId, ruleId }: Scene) => statements(() => deleteRule(world.db, userId, ruleId));
    expect(await remove(many)).toBe(await remove(few));
  });

  test('deleting the user', async () => {
    const remove = async ({ userId }: Scene) => {
      const [user] = await world.db.query<{ email: string }>('select email from auth."user" where id = $1', [userId]);
      return statements(() => deleteUser(world.db, user?.email ?? ''));
    };
    expect(await remove(many)).toBe(await remove(few));
    expect(await world.db.query('select from post where user_id = $1', [many.userId])).toEqual([]);
  });
});
