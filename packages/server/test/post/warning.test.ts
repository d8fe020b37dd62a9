import { afterAll, beforeAll, expect, test } from 'vitest';
import { onePost } from '../../src/posts/history.ts';
import { presentation, renderMessage } from '../harness/message.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { addReadyAccount, queuePost, startPostService } from './world.ts';

const DAY = 86_400_000;
let service: TestService;
let user: TestUser;
beforeAll(async () => {
  service = await startPostService();
  user = await service.newUser();
});
afterAll(() => service.close());

test('a scheduled post after its access expires has a warning', async () => {
  const { db, context } = service;
  const account = await addReadyAccount(db, user.userId);
  const [grant] = await db.query<{ id: string }>(
    `insert into access_grant (user_id, platform, service, kind, sandbox, sealed, scopes, expires_at, refresh_expires_at)
     values ($1, 'tiktok', '', 'oauth', false, '', '{}', app_now() + interval '1 day', app_now() + interval '20 days')
     returning id`,
    [user.userId],
  );
  await db.execute('update account set grant_id = $2 where id = $1', [account.id, grant?.id]);
  const now = (await db.clock.now()).getTime();
  const near = await queuePost(service, user.userId, [account], { at: now + 19 * DAY });
  const far = await queuePost(service, user.userId, [account], { at: now + 21 * DAY });
  const warningOf = async (id: string, refreshRenews: boolean) => {
    const { tiktok } = context.connectors;
    if (!tiktok?.oauth) throw new Error('There is no such connector.');
    const connectors = { tiktok: { ...tiktok, oauth: { ...tiktok.oauth, refreshRenews } } };
    return (await onePost(db, user.userId, id, { ...presentation, connectors, english: renderMessage })).targets[0]
      ?.warning;
  };
  expect(await warningOf(near, false)).toBeUndefined();
  expect(await warningOf(far, false)).toMatch(
    /^Access to this account expires on \w+ \d+, 20\d\d at .* UTC, before .*Reconnect the account before then\.$/,
  );
  expect(await warningOf(far, true)).toBeUndefined();
  expect((await user.get(`/post/${far}`)).status).toBe(200);
});

test('access that can be renewed indefinitely has no warning', async () => {
  const listed = (await user.get('/platform/platforms')).body.data;
  expect(listed.every((each: object) => !('accessEndsAt' in each))).toBe(true);
});
