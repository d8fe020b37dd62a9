import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWatchLoop, type WatchLoopDeps } from '../../src/watching/watch-loop.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { TestUser } from '../harness/service.ts';
import { createRuleWorld, type RuleWorld } from '../repost/rule-world.ts';

let world: RuleWorld;
let user: TestUser;
let a: AccountRow;
let b: AccountRow;
beforeAll(async () => {
  world = await createRuleWorld();
});
beforeEach(async () => {
  user = await world.service.newUser();
  [a, b] = [await world.account(user), await world.account(user)];
});
afterAll(() => world.service.close());

/** Lets the watch of `a` fail since some minutes ago. */
const fail = (minutes: number) =>
  world.service.db.execute(
    `update watch set failing_since = app_now() - $2 * interval '1 minute', due_at = app_now() + interval '1 day',
       problem = '{"code": "watch_unreachable", "params": {"reason": "timeout"}}'
     from identity d where d.watch_id = watch.id and d.id = $1`,
    [a.identityId, minutes],
  );

async function warnings(id: string) {
  const { body } = await user.get(`/accounts/${id}`);
  const list = (await user.get('/platform/platforms')).body.data;
  const listed = list.find((each: { id: string }) => each.id === id);
  expect(listed.warnings).toEqual(body.data.warnings);
  return body.data.warnings;
}

test('an account gets a warning after an hour of failures', async () => {
  await world.rule(user, a, [b]);
  await fail(59);
  expect(await warnings(a.id)).toEqual([]);
  await fail(60);
  expect(await warnings(a.id)).toEqual([
    {
      code: 'watch_failing',
      since: expect.stringMatching(/Z$/),
      text: expect.stringMatching(
        /^New posts of @name-\w+ could not be read since \w+ \d+, 2\d+ at [\d:]+ [AP]M UTC\. The platform could not be reached \(timeout\)\.$/,
      ),
    },
  ]);
  expect(await warnings(b.id)).toEqual([]);
});

test('a failing watch of a paused rule is no warning', async () => {
  const id = await world.rule(user, a, [b]);
  await fail(120);
  await user.post('/repost/pause', { id, isPaused: true });
  expect(await warnings(a.id)).toEqual([]);
});

test('a disconnected source of a rule is a warning', async () => {
  await world.rule(user, a, [b]);
  await world.service.db.execute(`update account set status = 'EXPIRED' where user_id = $1`, [user.userId]);
  expect(await warnings(a.id)).toEqual([
    {
      code: 'watch_disconnected',
      text: 'New posts are not read, because the account is disconnected. Reconnect it.',
    },
  ]);
  // It is no source.
  expect(await warnings(b.id)).toEqual([]);
});

test('a reconnected account is not warned about', async () => {
  await world.rule(user, a, [b]);
  await fail(120);
  await world.service.db.execute(
    `update watch set problem = '{"code": "watch_disconnected", "params": {}}'
     from identity d where d.watch_id = watch.id and d.id = $1`,
    [a.identityId],
  );
  expect(await warnings(a.id)).toEqual([]);
});

test('the loop reports each failure once', async () => {
  await world.rule(user, a, [b]);
  await world.service.db.execute(`update watch set due_at = app_now() + interval '1 day', failing_since = null`);
  const reported: unknown[] = [];
  let minutes = 0;
  const loop = createWatchLoop({
    db: world.service.db,
    connectors: world.service.context.connectors,
    onFailing: ({ platform, code }) => reported.push([platform, code]),
    monotonic: () => minutes * 60_000,
    onError: (error) => reported.push(error),
  } as Partial<WatchLoopDeps> as WatchLoopDeps);
  const look = async () => {
    minutes++;
    await loop.runOnce();
    return reported.splice(0);
  };
  await fail(59);
  expect(await look()).toEqual([]);
  await fail(61);
  expect(await look()).toEqual([['mastodon', 'watch_unreachable']]);
  expect(await look()).toEqual([]);
  // The next failure.
  await fail(90);
  expect(await look()).toHaveLength(1);
});
