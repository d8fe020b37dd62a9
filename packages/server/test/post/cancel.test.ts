import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFileLoop } from '../../src/maintenance/files.ts';
import { sweepCancelled } from '../../src/maintenance/rows.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { addReadyAccount, queuePost, remainsOf, sendPost, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
let account: AccountRow;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId);
});
afterAll(() => service.close());

const cancel = (id: string) => user.get('/post/cancelSchedule', { id });
const remove = (id: string) => user.call('DELETE', `/post/${id}`);
const removeFiles = async () => {
  const loop = createFileLoop({ ...service.context, retentionDays: 30, onError: () => {} });
  while ((await loop.runOnce()) > 0);
};
const set = (id: string, columns: string) =>
  service.db.execute(`update target set ${columns} where post_id = $1`, [id]);

async function scheduled(to = [account], inMs = 3_600_000): Promise<string> {
  const at = (await service.db.clock.now()).getTime() + inMs;
  return queuePost(service, user.userId, to, { at });
}

describe('canceling', () => {
  test('removes the post and its video and returns usage', async () => {
    const before = await remainsOf(service);
    const at = String((await service.db.clock.now()).getTime() + 60_000);
    const { historyId } = (await sendPost(user, { to: [account.id], fields: [['scheduled', at]] })).body;
    const { status, body } = await cancel(historyId);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true });
    await removeFiles();
    expect(await remainsOf(service)).toEqual(before);
    expect((await user.get('/post/history')).body.total).toBe(0);
  });

  test('succeeds again within a day, then is unknown', async () => {
    const id = await scheduled();
    await cancel(id);
    expect((await cancel(id)).status).toBe(200);
    await service.db.clock.advance(86_400_000 + 1_000);
    expect((await cancel(id)).body.code).toBe('unknown_post');
    await sweepCancelled(service.db);
    expect(await service.db.query('select from cancelled')).toEqual([]);
  });

  test('returns usage to the month of the post', async () => {
    const id = await scheduled([account], 40 * 86_400_000);
    await service.db.clock.advance(35 * 86_400_000);
    await scheduled();
    await cancel(id);
    const months = await service.db.query('select posts from usage where user_id = $1 order by month', [user.userId]);
    expect(months).toEqual([{ posts: 0 }, { posts: 1 }]);
  });

  test.each(['', 'x', '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b'])('"%s" cannot be canceled', async (id) => {
    const { status, body } = await cancel(id);
    expect(`${status} ${body.code}`).toBe(id === '' ? '400 invalid_request' : '404 unknown_post');
  });

  test('without a valid id is malformed', async () => {
    expect((await user.get('/post/cancelSchedule')).body.code).toBe('invalid_request');
    expect((await user.call('GET', '/post/cancelSchedule?id=a%00')).body.code).toBe('invalid_request');
  });

  test('another user’s post is unknown, even when canceled', async () => {
    const id = await scheduled();
    const other = await service.newUser();
    expect((await other.get('/post/cancelSchedule', { id })).body.code).toBe('unknown_post');
    await cancel(id);
    expect((await other.get('/post/cancelSchedule', { id })).body.code).toBe('unknown_post');
  });

  test('an unscheduled post cannot be canceled', async () => {
    const response = await cancel(await queuePost(service, user.userId, [account]));
    expect(`${response.status} ${response.body.code}`).toBe('409 not_cancellable');
  });

  test.each([
    ['begun', `state = 'working', begun_at = app_now()`],
    ['waiting after a failure', `state = 'waiting', begun_at = app_now()`],
    ['finished', `state = 'posted', due_at = null`],
    ['failed', `state = 'failed', due_at = null, code = 'reconnect_required'`],
  ])('a post that is %s cannot be canceled', async (_, columns) => {
    const id = await scheduled();
    await set(id, columns);
    expect((await cancel(id)).body.code).toBe('not_cancellable');
  });

  test('a started target prevents it; a failed one does not', async () => {
    const other = await addReadyAccount(service.db, user.userId);
    const begun = await scheduled([account, other]);
    await service.db.execute(
      `update target set state = 'working', begun_at = app_now() where post_id = $1 and account_id = $2`,
      [begun, other.id],
    );
    expect((await cancel(begun)).body.code).toBe('not_cancellable');
    const lost = await scheduled([account, other]);
    await service.db.execute(
      `update target set state = 'failed', due_at = null, code = 'reconnect_required' where post_id = $1 and account_id = $2`,
      [lost, other.id],
    );
    expect((await cancel(lost)).status).toBe(200);
  });

  test('with a session requires the CSRF header despite GET', async () => {
    const session = await service.newSession();
    const own = await addReadyAccount(service.db, session.userId);
    const at = (await service.db.clock.now()).getTime() + 60_000;
    const query = { id: await queuePost(service, session.userId, [own], { at }) };
    expect((await session.bare.get('/post/cancelSchedule', query)).body.code).toBe('csrf_required');
    expect((await session.get('/post/cancelSchedule', query)).status).toBe(200);
  });

  test('HEAD cancels nothing', async () => {
    const id = await scheduled();
    expect((await user.call('HEAD', `/post/cancelSchedule?id=${id}`)).status).not.toBe(200);
    expect((await user.get(`/post/${id}`)).status).toBe(200);
  });
});

describe('deleting', () => {
  test('removes a finished post and its files without returning usage', async () => {
    await removeFiles();
    const before = await remainsOf(service);
    const { body } = await sendPost(user, { to: [account.id] });
    await set(body.historyId, `state = 'posted', due_at = null, settled_at = app_now()`);
    const response = await remove(body.historyId);
    expect(response.body.message).toContain('stays');
    await removeFiles();
    expect(await remainsOf(service)).toEqual({ ...before, used: before.used + 1 });
    expect((await remove(body.historyId)).body.code).toBe('unknown_post');
  });

  test('a shared video stays until its last post is deleted', async () => {
    const first = (await sendPost(user, { to: [account.id] })).body.historyId;
    const second = (await sendPost(user, { to: [account.id] })).body.historyId;
    await service.db.execute('update post set media_id = (select media_id from post where id = $1) where id = $2', [
      first,
      second,
    ]);
    for (const id of [first, second]) await set(id, `state = 'failed', due_at = null, code = 'policy_rejected'`);
    const thumbnail = (await user.get(`/post/${second}`)).body.data.filename;
    await remove(first);
    await removeFiles();
    expect((await user.get(`/media/${thumbnail}`)).status).toBe(200);
    await remove(second);
    await removeFiles();
    expect((await user.get(`/media/${thumbnail}`)).body.code).toBe('unknown_media');
  });

  test.each([
    ['scheduled', `state = 'scheduled'`],
    ['under way', `state = 'committing'`],
    ['not yet public', `state = 'confirming'`],
    ['not yet known', `state = 'unknown'`],
  ])('a post that is %s cannot be deleted', async (_, columns) => {
    const id = await queuePost(service, user.userId, [account]);
    await set(id, columns);
    const response = await remove(id);
    expect(`${response.status} ${response.body.code}`).toBe('409 not_deletable');
  });

  test('another user’s post and a missing one are unknown', async () => {
    const id = await queuePost(service, user.userId, [account]);
    const other = await service.newUser();
    expect((await other.call('DELETE', `/post/${id}`)).body.code).toBe('unknown_post');
    expect((await remove('x')).body.code).toBe('unknown_post');
  });
});
