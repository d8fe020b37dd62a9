import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AccountRow } from '../harness/rows.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { addReadyAccount, queuePost, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
let one: AccountRow;
let two: AccountRow;
let postId: string;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
  one = await addReadyAccount(service.db, user.userId);
  two = await addReadyAccount(service.db, user.userId);
  postId = await queuePost(service, user.userId, [one, two]);
});
afterAll(() => service.close());

/** Sets a target of the post to a state that a worker would leave. */
async function leave(account: AccountRow, columns: Record<string, string>): Promise<void> {
  const all = {
    begun_at: 'app_now()',
    attempts: '9',
    crashes: '2',
    deadline_at: 'app_now()',
    version: 'version + 1',
    ...columns,
  };
  const list = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  await service.db.execute(`update target set ${list.join(', ')} where post_id = $1 and account_id = $2`, [
    postId,
    account.id,
  ]);
}
const failed = (code: string, more: Record<string, string> = {}) => ({
  state: `'failed'`,
  due_at: 'null',
  settled_at: 'app_now()',
  code: `'${code}'`,
  detail: `'It did not work.'`,
  platform_code: `'E1'`,
  ...more,
});
const posted = { state: `'posted'`, due_at: 'null', settled_at: 'app_now()' };
const row = async (account: AccountRow) =>
  (
    await service.db.query('select * from target where post_id = $1 and account_id = $2', [postId, account.id])
  )[0] as Record<string, unknown>;
const retry = (json: unknown = {}) => user.call('POST', `/post/${postId}/retry`, { json });
const refusal = async (json: unknown = {}) => {
  const { status, body } = await retry(json);
  return `${status} ${body.code}`;
};

test('a retry restarts failed targets and keeps others', async () => {
  await leave(one, posted);
  await leave(two, failed('video_rejected', { checkpoint: `'\\x01'`, committed_at: 'app_now()' }));
  await service.db.clock.advance(3_600_000);
  const { status, body } = await retry();
  expect(status).toBe(200);
  expect(body.data.result.map((each: { status: string }) => each.status)).toEqual(['SUCCESS', 'PENDING']);
  expect(await row(two)).toMatchObject({
    state: 'waiting',
    checkpoint: null,
    attempts: 0,
    crashes: 0,
    deadline_at: null,
    code: null,
    detail: null,
    platform_code: null,
    settled_at: null,
    accept_duplicate: false,
    key_number: 2,
  });
  const { due_at, counts_from } = await row(two);
  expect(counts_from).toEqual(due_at);
  const [lane] = await service.db.query('select next_due_at <= app_now() as due from lane where identity_id = $1', [
    two.identityId,
  ]);
  expect(lane).toEqual({ due: true });
  expect(body.data.targets[1].timeline.at(-1)).toMatchObject({ event: 'retry' });
});

test('a send that may have worked is verified first', async () => {
  await leave(one, posted);
  await leave(two, failed('reconnect_required', { unproven: 'true', checkpoint: `'\\x01'` }));
  await retry();
  expect(await row(two)).toMatchObject({
    state: 'unknown',
    unproven: true,
    accept_duplicate: false,
    checkpoint: Buffer.of(1),
    key_number: 1,
    looks: 0,
  });
});

test('an unknown outcome needs permission and is verified first', async () => {
  await leave(one, posted);
  await leave(two, failed('outcome_unknown'));
  expect(await refusal()).toBe('409 not_retryable');
  expect(await refusal({ acceptDuplicate: false })).toBe('409 not_retryable');
  expect(await refusal({ platforms: [two.id] })).toBe('409 not_retryable');
  await retry({ acceptDuplicate: true });
  expect(await row(two)).toMatchObject({ state: 'unknown', unproven: true, accept_duplicate: true });
});

test('a retry without permission covers the other targets', async () => {
  await leave(one, failed('platform_unavailable'));
  await leave(two, failed('outcome_unknown'));
  const { body } = await retry();
  expect(body.data.result.map((each: { status: string }) => each.status)).toEqual(['PENDING', 'FAILED']);
});

describe('before the scheduled time', () => {
  let at: number;
  beforeEach(async () => {
    // Accounts without the post of the other tests, which is due.
    one = await addReadyAccount(service.db, user.userId);
    two = await addReadyAccount(service.db, user.userId);
    at = (await service.db.clock.now()).getTime() + 48 * 3_600_000;
    postId = await queuePost(service, user.userId, [one, two], { at });
    await leave(two, failed('reconnect_required', { begun_at: 'null' }));
    // Leaves the lane as a worker does that finds nothing to do.
    await service.db.execute(
      `update lane set next_due_at = (select min(due_at) from target where identity_id = lane.identity_id)`,
    );
  });
  const nextDue = async ({ identityId }: AccountRow) =>
    (
      await service.db.query<{ at: Date | null }>('select next_due_at as at from lane where identity_id = $1', [
        identityId,
      ])
    )[0]?.at?.getTime();

  test('an account that did not start is scheduled again', async () => {
    const { body } = await retry();
    expect(body.data.targets[1]).toMatchObject({ status: 'PENDING', nextAttemptAt: new Date(at).toISOString() });
    expect(body.data.targets[1].timeline.at(-1)).toMatchObject({
      event: 'retry',
      message: { code: 'retry_scheduled', params: { dueAt: at } },
    });
    const time = new Date(at);
    expect(await row(two)).toMatchObject({ state: 'scheduled', due_at: time, counts_from: time, code: null });
    expect(await nextDue(two)).toBe(at);
  });

  test('it follows a post that was moved meanwhile', async () => {
    await user.call('PATCH', `/post/${postId}`, { json: { scheduled: at + 60_000 } });
    await retry();
    expect(await row(two)).toMatchObject({ state: 'scheduled', due_at: new Date(at + 60_000) });
  });

  test('the whole post can be edited and canceled afterwards', async () => {
    await retry();
    expect((await user.call('PATCH', `/post/${postId}`, { json: { scheduled: at - 60_000 } })).status).toBe(200);
    for (const account of [one, two]) {
      expect(await row(account)).toMatchObject({ due_at: new Date(at - 60_000) });
      expect(await nextDue(account)).toBe(at - 60_000);
    }
    expect((await user.get('/post/cancelSchedule', { id: postId })).status).toBe(200);
  });

  test('a send that may have worked is verified at once', async () => {
    await leave(two, failed('outcome_unknown', { begun_at: 'null' }));
    await retry({ acceptDuplicate: true });
    expect(await row(two)).toMatchObject({ state: 'unknown' });
    expect(await nextDue(two)).toBeLessThan(at);
  });

  test('a retry after the scheduled time starts immediately', async () => {
    await service.db.clock.advance(48 * 3_600_000 + 1_000);
    await retry();
    expect(await row(two)).toMatchObject({ state: 'waiting' });
    expect(await nextDue(two)).toBeGreaterThan(at);
  });
});

test('a retry covers the named accounts only', async () => {
  await leave(one, failed('platform_error'));
  await leave(two, failed('platform_error'));
  const { body } = await retry({ platforms: [two.id, two.id] });
  expect(body.data.result.map((each: { status: string }) => each.status)).toEqual(['FAILED', 'PENDING']);
});

test('a retry without a body covers every failed account', async () => {
  await leave(one, failed('platform_error'));
  const { status } = await user.call('POST', `/post/${postId}/retry`);
  expect(status).toBe(200);
  expect((await row(one)).state).toBe('waiting');
});

test('a retry does not count against the plan', async () => {
  await leave(one, failed('platform_error'));
  await service.db.execute('update usage set posts = 1000000 where user_id = $1', [user.userId]);
  expect((await retry()).status).toBe(200);
  const [used] = await service.db.query('select posts from usage where user_id = $1', [user.userId]);
  expect(used).toEqual({ posts: 1_000_000 });
});

test('a repost rejected by the plan counts on retry', async () => {
  for (const account of [one, two]) await leave(account, failed('plan_limit_reached'));
  await service.db.execute('update usage set posts = 1000000 where user_id = $1', [user.userId]);
  expect(await refusal()).toBe('403 plan_limit_reached');
  await service.db.execute('update usage set posts = 7 where user_id = $1', [user.userId]);
  expect((await retry()).status).toBe(200);
  const [used] = await service.db.query('select posts from usage where user_id = $1', [user.userId]);
  expect(used).toEqual({ posts: 8 });
});

describe('rejects', () => {
  test('a post without failures', async () => {
    expect(await refusal()).toBe('409 not_retryable');
    await leave(one, posted);
    expect(await refusal({ platforms: [one.id] })).toBe('409 not_retryable');
  });

  test('an account that is not in the post', async () => {
    await leave(one, failed('platform_error'));
    const other = await addReadyAccount(service.db, user.userId);
    expect(await refusal({ platforms: [one.id, other.id] })).toBe('404 unknown_platform');
    expect(await refusal({ platforms: ['x'] })).toBe('404 unknown_platform');
    expect((await row(one)).state).toBe('failed');
  });

  test('a video that was deleted', async () => {
    await leave(one, failed('platform_error'));
    await service.db.execute(`update media set state = 'gone' where id = (select media_id from post where id = $1)`, [
      postId,
    ]);
    expect(await refusal()).toBe('410 video_gone');
  });

  test.each([
    ['an unknown property', { force: true }, '400 unknown_field'],
    ['no accounts', { platforms: [] }, '400 invalid_request'],
    ['a number as account', { platforms: [1] }, '400 invalid_request'],
    ['a text as consent', { acceptDuplicate: 'yes' }, '400 invalid_request'],
    ['null', null, '400 invalid_request'],
  ])('%s', async (_, json, expected) => {
    expect(await refusal(json)).toBe(expected);
  });

  test('another user’s post', async () => {
    await leave(one, failed('platform_error'));
    const other = await service.newUser();
    expect((await other.call('POST', `/post/${postId}/retry`, { json: {} })).body.code).toBe('unknown_post');
  });
});
