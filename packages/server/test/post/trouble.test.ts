/** What the API says of a target that has to be tried again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { say } from '../../src/messages/timeline.ts';
import type { TestService } from '../harness/service.ts';
import { addReadyAccount, queuePost, startPostService } from './world.ts';

let service: TestService;
beforeAll(async () => {
  service = await startPostService();
});
afterAll(() => service.close());

const SINCE = Date.UTC(2026, 10, 21);
const REASON = say('retry_in', { reason: say('internal_error'), pauseMs: 60_000 });

/** A post to two accounts, of which the first has trouble. */
async function troubledPost<User extends { userId: string }>(user: User, platformCode: string | null) {
  const accounts = [
    await addReadyAccount(service.db, user.userId),
    await addReadyAccount(service.db, user.userId),
  ] as const;
  const id = await queuePost(service, user.userId, [...accounts]);
  const { code, params } = REASON;
  const trouble = { code: 'platform_unavailable', reason: { code, params }, platformCode, since: SINCE, attempts: 3 };
  await service.db.execute(
    `update target set state = 'waiting', trouble = $3, due_at = $4 where post_id = $1 and account_id = $2`,
    [id, accounts[0].id, trouble, new Date(SINCE + 60_000)],
  );
  return { id, user, accounts };
}

const EXPECTED = { code: 'platform_unavailable', attempts: 3, since: '2026-11-21T00:00:00.000Z' };

test('a target in trouble names its reason and next attempt', async () => {
  const { id, user } = await troubledPost(await service.newUser(), 'E503');
  const { data } = (await user.get(`/post/${id}`)).body;
  const trouble = { ...EXPECTED, platformCode: 'E503', text: `${REASON.text} (E503)` };
  expect(data.targets[0]).toMatchObject({ status: 'PENDING', nextAttemptAt: '2026-11-21T00:01:00.000Z', trouble });
  expect(data.targets[1]).not.toHaveProperty('trouble');
  const listed = (await user.get('/post/history')).body.data[0];
  expect(listed.result[0]).toMatchObject({ status: 'PENDING', nextAttemptAt: '2026-11-21T00:01:00.000Z', trouble });
  expect(listed.result[1]).not.toHaveProperty('nextAttemptAt');
});

test('the reason of a trouble is in the reader’s language', async () => {
  const { id, user } = await troubledPost(await service.newSession(), null);
  const headers = { cookie: user.cookie, 'x-reelay-csrf': '1', 'accept-language': 'de' };
  const [{ trouble }] = (await service.clientWith(headers).get(`/post/${id}`)).body.data.targets;
  expect(trouble).toMatchObject(EXPECTED);
  expect(trouble).not.toHaveProperty('platformCode');
  expect(trouble.text).toContain('Ein interner Fehler');
});

test('a target that fails or is retried has no trouble', async () => {
  const { id, user, accounts } = await troubledPost(await service.newUser(), null);
  const end = `update target set state = 'failed', due_at = null, settled_at = app_now(), code = 'platform_error'`;
  await expect(service.db.execute(`${end} where post_id = $1`, [id])).rejects.toThrow(/target_trouble/);
  await service.db.execute(`${end}, trouble = null where post_id = $1`, [id]);
  expect((await user.call('POST', `/post/${id}/retry`, { json: { platforms: [accounts[0].id] } })).status).toBe(200);
  const [target] = (await user.get(`/post/${id}`)).body.data.targets;
  expect(target).toMatchObject({ status: 'PENDING' });
  expect(target).not.toHaveProperty('trouble');
});
