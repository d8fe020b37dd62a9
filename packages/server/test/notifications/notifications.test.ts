import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { runSweep, SWEEPS } from '../../src/maintenance/sweeps.ts';
import { say } from '../../src/messages/timeline.ts';
import { noticeEndingAccess } from '../../src/notifications/ending-access.ts';
import type { Storage } from '../../src/storage/contract.ts';
import { deleteUser } from '../../src/users/service.ts';
import { claimFailing } from '../../src/watching/warning-store.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { SessionUser, TestService } from '../harness/service.ts';
import { type EventReader, openEvents } from '../live/event-reader.ts';
import { addReadyAccount, queuePost, startPostService } from '../post/world.ts';
import { endAccess, failPost, failTarget, grantFor, retryPost } from './world.ts';

const DAY = 86_400_000;
const NOBODY = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b';

let service: TestService;
let user: SessionUser;
let account: AccountRow;
let reader: EventReader | null = null;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newSession();
  account = await addReadyAccount(service.db, user.userId, { username: 'nora' });
});
afterEach(() => {
  reader?.close();
  reader = null;
});
afterAll(() => service.close());

const list = async (query = {}) => (await user.get('/dashboard/notifications', query)).body;
const unread = async () => (await user.get('/dashboard/notifications/unread')).body.data.unread;
const read = (id: string, all = false) => user.post('/dashboard/notifications/read', { id, all });
const change = (json: unknown) => user.call('PATCH', '/user/notifications', { json });

test('a failed post is one notification for all its accounts', async () => {
  const other = await addReadyAccount(service.db, user.userId, { platform: 'mastodon', username: 'nora@m' });
  const detail = 'Mastodon said: no.';
  const id = await failPost(service.db, user.userId, [account, other], { description: 'Hallo', detail });
  expect(await list()).toEqual({
    success: true,
    data: [
      {
        id: expect.any(String),
        kind: 'post_failed',
        at: expect.any(String),
        read: false,
        resolved: false,
        resolvedAt: null,
        post: {
          id,
          description: 'Hallo',
          filename: expect.stringMatching(/\.jpg$/),
          accounts: 2,
          failed: [
            {
              id: account.id,
              platform: 'tiktok',
              username: 'nora',
              displayName: 'Name of nora',
              message: 'platform_error',
              detail,
            },
            {
              id: other.id,
              platform: 'mastodon',
              username: 'nora@m',
              displayName: 'Name of nora@m',
              message: 'platform_error',
              detail,
            },
          ],
          troubled: [],
        },
        account: null,
        moment: null,
      },
    ],
    next: null,
  });
  expect(await unread()).toBe(1);
});

test('the reason of a failure is in the reader’s language', async () => {
  await failPost(service.db, user.userId, [account], { reason: say('account_disconnected') });
  const failed = async (language: string) => {
    const { body } = await user.call('GET', '/dashboard/notifications', { headers: { 'accept-language': language } });
    return body.data[0].post.failed;
  };
  expect(await failed('en')).toMatchObject([{ detail: 'The account is disconnected. Reconnect it, then retry.' }]);
  expect(await failed('de')).toMatchObject([
    { detail: 'Das Konto ist getrennt. Verbinde es neu und wiederhole dann.' },
  ]);
});

test('a retried post is resolved, and notifies again', async () => {
  const id = await failPost(service.db, user.userId, [account]);
  await read((await list()).data[0].id);
  await retryPost(service.db, id);
  expect((await list()).data).toMatchObject([{ read: true, resolved: true, post: { failed: [] } }]);
  const [target] = await service.db.query<{ id: string }>('select id from target where post_id = $1', [id]);
  await failTarget(service.db, target?.id ?? '');
  expect((await list()).data).toMatchObject([{ read: false, resolved: false, post: { id } }]);
  expect(await unread()).toBe(1);
});

test('a failure that is rolled back leaves no notification', async () => {
  const rolledBack = service.db.transaction(async (tx) => {
    await failPost(tx, user.userId, [account]);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  expect((await list()).data).toEqual([]);
});

test('an account whose access ended is a notification', async () => {
  await endAccess(service.db, account);
  expect((await list()).data).toMatchObject([
    { kind: 'account_reconnect', resolved: false, post: null, account: { id: account.id, status: 'EXPIRED' } },
  ]);
  await service.db.execute(`update account set status = 'CONNECTED' where id = $1`, [account.id]);
  expect((await list()).data).toMatchObject([{ resolved: true, account: { status: 'CONNECTED' } }]);
});

test('posts lost by a wanted disconnect notify nobody', async () => {
  const at = (await service.db.clock.now()).getTime() + DAY;
  const id = await queuePost(service, user.userId, [account], { at });
  expect((await user.call('DELETE', `/accounts/${account.id}`)).status).toBe(200);
  const [failed] = await service.db.query('select state, code from target where post_id = $1', [id]);
  expect(failed).toEqual({ state: 'failed', code: 'reconnect_required' });
  expect((await list()).data).toEqual([]);
});

test('disconnecting an account does not ask to reconnect it', async () => {
  expect((await user.call('DELETE', `/accounts/${account.id}`)).status).toBe(200);
  expect((await list()).data).toEqual([]);
});

describe('a scheduled post after the end of an access', () => {
  const schedule = async (days: number) =>
    queuePost(service, user.userId, [account], { at: (await service.db.clock.now()).getTime() + days * DAY });

  beforeEach(async () => {
    account = await addReadyAccount(service.db, user.userId, { platform: 'linkedin' });
    await grantFor(service.db, account, 5);
  });
  const resolved = async () => (await list()).data.map((each: { resolved: boolean }) => each.resolved);

  test('is one notification for each end', async () => {
    await schedule(4);
    await noticeEndingAccess(service.db, connectors);
    expect((await list()).data).toEqual([]);
    await schedule(6);
    await noticeEndingAccess(service.db, connectors);
    await schedule(7);
    await noticeEndingAccess(service.db, connectors);
    const { data } = await list();
    expect(data).toMatchObject([{ kind: 'access_ends', resolved: false, account: { id: account.id } }]);
    expect(Date.parse(data[0].moment)).toBeGreaterThan(Date.now() + 4 * DAY);
    const rows = await service.db.query('select from notification where user_id = $1', [user.userId]);
    expect(rows).toHaveLength(1);
    await service.db.execute(
      `update access_grant set refresh_expires_at = refresh_expires_at + interval '12 hours' where user_id = $1`,
      [user.userId],
    );
    await noticeEndingAccess(service.db, connectors);
    expect(await service.db.query('select from notification where user_id = $1', [user.userId])).toHaveLength(2);
  });

  test('is resolved when the account is reconnected', async () => {
    await schedule(6);
    await noticeEndingAccess(service.db, connectors);
    expect(await resolved()).toEqual([false]);
    await grantFor(service.db, account, 60);
    expect(await resolved()).toEqual([true]);
  });

  test('stays resolved when another post needs the next end', async () => {
    await schedule(6);
    await noticeEndingAccess(service.db, connectors);
    await grantFor(service.db, account, 60);
    await schedule(61);
    expect(await resolved()).toEqual([true]);
    await noticeEndingAccess(service.db, connectors);
    expect(await resolved()).toEqual([false]);
  });

  test('is resolved when the last such post is canceled', async () => {
    const posts = [await schedule(6), await schedule(7)];
    await noticeEndingAccess(service.db, connectors);
    const states: boolean[] = [];
    for (const id of posts) {
      expect((await user.get('/post/cancelSchedule', { id })).status).toBe(200);
      states.push(...(await resolved()));
    }
    expect(states).toEqual([false, true]);
  });

  test('is resolved when the account is disconnected', async () => {
    await schedule(6);
    await noticeEndingAccess(service.db, connectors);
    expect((await user.call('DELETE', `/accounts/${account.id}`)).status).toBe(200);
    const { data } = await list();
    expect(data.find((each: { kind: string }) => each.kind === 'access_ends')).toMatchObject({ resolved: true });
  });
});

test('a failing watch notifies the owners of active rules', async () => {
  const { db } = service;
  const other = await addReadyAccount(db, user.userId, { platform: 'mastodon' });
  const { body } = await user.post('/repost/add', { from: account.id, to: [other.id] });
  const setWatch = (values: string) =>
    db.execute(`update watch w set ${values} from identity d where d.id = $1 and w.id = d.watch_id`, [
      account.identityId,
    ]);
  await setWatch(`failing_since = app_now() - interval '61 minutes'`);
  await user.post('/repost/pause', { id: body.id, isPaused: true });
  await claimFailing(db);
  expect((await list()).data).toEqual([]);
  await user.post('/repost/pause', { id: body.id, isPaused: false });
  await setWatch('warned_since = null');
  await claimFailing(db);
  await claimFailing(db);
  expect((await list()).data).toMatchObject([
    { kind: 'source_unread', account: { id: account.id }, moment: expect.any(String) },
  ]);
});

test('every notification is on exactly one page', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 7; count++) ids.push(await failPost(service.db, user.userId, [account]));
  await service.db.execute(`update notification set at = date_trunc('day', at) where user_id = $1`, [user.userId]);
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, next } = await list({ limit: 3, ...(cursor ? { cursor } : {}) });
    found.push(...data.map(({ post }: { post: { id: string } }) => post.id));
    cursor = next;
  }
  expect(found.sort()).toEqual(ids.sort());
  expect((await user.get('/dashboard/notifications', { cursor: 'x' })).status).toBe(400);
});

test('reading all leaves later notifications unread', async () => {
  await failPost(service.db, user.userId, [account]);
  await endAccess(service.db, account);
  const [newest] = (await list()).data;
  await failPost(service.db, user.userId, [account]);
  expect((await read(newest.id, true)).body.data).toEqual({ unread: 1 });
  expect((await list()).data.map((each: { read: boolean }) => each.read)).toEqual([false, true, true]);
  expect((await read(NOBODY, true)).body.data).toEqual({ unread: 1 });
});

test('reading all leaves kinds unread that are only mailed', async () => {
  await failPost(service.db, user.userId, [account]);
  await endAccess(service.db, account);
  const [newest] = (await list()).data;
  await change({ kind: 'post_failed', page: false });
  expect((await read(newest.id, true)).body.data).toEqual({ unread: 0 });
  await change({ kind: 'post_failed', page: true });
  expect((await list()).data).toMatchObject([
    { kind: 'account_reconnect', read: true },
    { kind: 'post_failed', read: false },
  ]);
});

test('no user sees or reads the notifications of another', async () => {
  await failPost(service.db, user.userId, [account]);
  const { data } = await list();
  const other = await service.newSession();
  expect((await other.get('/dashboard/notifications')).body.data).toEqual([]);
  await other.post('/dashboard/notifications/read', { id: data[0].id, all: true });
  expect(await unread()).toBe(1);
});

test('settings hide a kind from the page', async () => {
  await failPost(service.db, user.userId, [account]);
  expect((await user.get('/user/notifications')).body.data).toEqual({
    mail: { available: false, address: user.email },
    kinds: {
      post_failed: { page: true, mail: true, push: true },
      post_trouble: { page: true, mail: true, push: true },
      account_reconnect: { page: true, mail: true, push: true },
      access_ends: { page: true, mail: false, push: false },
      source_unread: { page: true, mail: true, push: true },
    },
    quietHours: null,
  });
  const { body } = await change({ kind: 'post_failed', page: false });
  expect(body.data.kinds.post_failed).toEqual({ page: false, mail: true, push: true });
  expect([await unread(), (await list()).data]).toEqual([0, []]);
  await change({ kind: 'post_failed', mail: false });
  expect((await change({ kind: 'post_failed', page: true })).body.data.kinds.post_failed).toEqual({
    page: true,
    mail: false,
    push: true,
  });
  expect(await unread()).toBe(1);
  expect((await change({ kind: 'unheard_of', page: true })).status).toBe(400);
});

test('the language is stored with the user', async () => {
  expect((await user.get('/user')).body.data.language).toBeNull();
  expect((await user.call('PATCH', '/user', { json: { language: 'de' } })).body.data.language).toBe('de');
  expect((await user.call('PATCH', '/user', { json: { zone: 'Europe/Berlin' } })).body.data.language).toBe('de');
  expect((await user.call('PATCH', '/user', { json: { language: 'fr' } })).status).toBe(400);
});

test('new and read notifications are announced', async () => {
  reader = await openEvents(service.url, user.cookie);
  await reader.until({ type: 'resync' });
  await failPost(service.db, user.userId, [account]);
  await reader.until({ type: 'notification', id: user.userId });
  const before = reader.events.filter(({ type }) => type === 'notification').length;
  await read((await list()).data[0].id);
  await expect
    .poll(() => reader?.events.filter(({ type }) => type === 'notification').length, { timeout: 60_000 })
    .toBeGreaterThan(before);
});

test('notifications end with their post, account and user', async () => {
  const id = await failPost(service.db, user.userId, [account]);
  await endAccess(service.db, account);
  await service.db.execute('delete from post where id = $1', [id]);
  expect((await list()).data).toMatchObject([{ kind: 'account_reconnect' }]);
  await change({ kind: 'post_failed', page: false });
  await deleteUser(service.db, user.email);
  expect(await service.db.query('select from notification where user_id = $1', [user.userId])).toEqual([]);
});

test('old, read and too many notifications are deleted', async () => {
  const { db } = service;
  const storage = { sweep: async () => 0 } as Partial<Storage> as Storage;
  const sweep = async () => {
    const found = SWEEPS.find(({ name }) => name === 'notifications');
    if (found) await runSweep({ db, storage, retentionDays: 30, onError() {} }, found);
    return (await db.query('select from notification where user_id = $1', [user.userId])).length;
  };
  await failPost(db, user.userId, [account]);
  await endAccess(db, account);
  const [ended] = (await list()).data;
  await read(ended.id);
  const age = (days: number) =>
    db.execute(
      `update notification set at = at - $2 * interval '1 day', read_at = read_at - $2 * interval '1 day'
      where user_id = $1`,
      [user.userId, days],
    );
  await age(29);
  expect(await sweep()).toBe(2);
  await age(2);
  expect(await sweep()).toBe(1);
  await age(60);
  expect(await sweep()).toBe(0);
  await db.execute(
    `insert into notification (user_id, kind, account_id, occurrence)
     select $1, 'account_reconnect', $2, n from generate_series(1, 510) n`,
    [user.userId, account.id],
  );
  expect(await sweep()).toBe(500);
});
