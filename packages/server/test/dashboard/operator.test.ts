import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/app/operations.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { addHistory, addReadyAccount, queuePost, startPostService } from '../post/world.ts';

let service: TestService;
/** The first user. */
let operator: SessionUser;
let user: SessionUser;
beforeAll(async () => {
  service = await startPostService({ config: { rateLimit: 'off' } });
  operator = await service.newSession();
});
beforeEach(async () => {
  user = await service.newSession({ plan: 'FREE' });
});
afterAll(() => service.close());

const ofOperator = OPERATIONS.filter(({ auth }) => auth === 'operator-session');

describe.each(ofOperator.map(({ id, method, path }) => [id, method, path.replace('{id}', randomUUID())] as const))(
  '%s',
  (_id, method, path) => {
    test('a user who is not the operator is refused', async () => {
      const refused = await user.call(method, path, method === 'GET' ? {} : { json: {} });
      expect(refused).toMatchObject({ status: 403, body: { code: 'operator_required' } });
    });

    test("the operator's key and strangers are refused", async () => {
      const { body } = await operator.post('/user/api-key/generate');
      const withKey = service.clientWith({ authorization: `Bearer ${body.data}` });
      expect(await withKey.call(method, path)).toMatchObject({ status: 403, body: { code: 'session_required' } });
      expect(await service.client.call(method, path)).toMatchObject({ status: 401 });
    });
  },
);

/** All entries of a list, page by page. */
async function everyPage(path: string, query: Record<string, string | number>): Promise<{ id: string }[]> {
  const found: { id: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await operator.get(path, { ...query, ...(cursor ? { cursor } : {}) });
    expect(body.data.length).toBeLessThanOrEqual(Number(query.limit));
    found.push(...body.data);
    cursor = body.next;
  }
  return found;
}

describe('users', () => {
  const find = async (email: string) => (await operator.get('/operator/users', { text: email })).body.data;

  test('are listed with plan, usage and state', async () => {
    const account = await addReadyAccount(service.db, user.userId);
    await service.db.execute(
      `insert into usage values ($1, date_trunc('month', app_now() at time zone 'UTC')::date, 7)`,
      [user.userId],
    );
    await queuePost(service, user.userId, [account]);
    const [found] = await find(user.email);
    expect(found).toMatchObject({ id: user.userId, plan: 'FREE', operator: false, suspended: false });
    const limits = Object.fromEntries(found.limits.map((each: { name: string }) => [each.name, each]));
    expect(limits).toMatchObject({
      posts_per_month: { value: 30, used: 8 },
      connected_accounts: { value: 3, used: 1 },
      rules: { value: 1, used: 0 },
    });
  });

  test('every user is on exactly one page', async () => {
    await Promise.all(Array.from({ length: 5 }, () => service.newUser()));
    const rows = await service.db.query<{ id: string }>('select id from auth."user" order by created_at desc, id desc');
    const found = await everyPage('/operator/users', { limit: 2 });
    expect(found.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  test('the search is literal and ignores case', async () => {
    expect(await find(user.email.toUpperCase())).toHaveLength(1);
    expect(await find('%')).toEqual([]);
    expect(await operator.get('/operator/users', { cursor: 'x' })).toMatchObject({ status: 400 });
  });

  test('a changed plan applies to the next request', async () => {
    const path = `/operator/users/${user.userId}/plan`;
    expect((await operator.call('PUT', path, { json: { plan: 'PRO' } })).status).toBe(200);
    expect((await user.get('/user')).body.data.plan).toBe('PRO');
    expect(await operator.call('PUT', path, { json: { plan: 'GOLD' } })).toMatchObject({ status: 400 });
    const [{ action, subject, user: by, subjectEmail }] = (await operator.get('/operator/audit')).body.data;
    expect({ action, subject, by: by.email, subjectEmail }).toEqual({
      action: 'user.plan',
      subject: `${user.userId} PRO`,
      by: operator.email,
      subjectEmail: user.email,
    });
  });

  test('a suspended user is signed out until resumed', async () => {
    expect((await operator.post(`/operator/users/${user.userId}/suspend`)).status).toBe(200);
    expect((await user.get('/user')).status).toBe(401);
    expect(await find(user.email)).toMatchObject([{ suspended: true }]);
    expect((await operator.post(`/operator/users/${user.userId}/resume`)).status).toBe(200);
    expect(await find(user.email)).toMatchObject([{ suspended: false }]);
  });

  test('operators and unknown users cannot be suspended', async () => {
    expect(await operator.post(`/operator/users/${operator.userId}/suspend`)).toMatchObject({
      status: 409,
      body: { code: 'not_suspendable' },
    });
    for (const id of [randomUUID(), 'nobody'])
      expect(await operator.post(`/operator/users/${id}/suspend`)).toMatchObject({
        status: 404,
        body: { code: 'unknown_user' },
      });
    expect((await operator.get('/user')).status).toBe(200);
  });
});

describe('the audit log', () => {
  test('every entry is on exactly one page, newest first', async () => {
    for (const plan of ['PRO', 'FREE', 'STARTER'])
      await operator.call('PUT', `/operator/users/${user.userId}/plan`, { json: { plan } });
    const rows = await service.db.query<{ id: string }>('select id from audit order by at desc, id desc');
    const found = await everyPage('/operator/audit', { limit: 2 });
    expect(found.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  test('can be limited to one user', async () => {
    await user.post('/user/api-key/generate');
    const { data } = (await operator.get('/operator/audit', { userId: user.userId })).body;
    expect(data[0]).toMatchObject({ action: 'key.generate', actor: 'session' });
    for (const each of data) expect(each.user).toEqual({ id: user.userId, email: user.email });
    expect((await operator.get('/operator/audit', { userId: 'nobody' })).body).toMatchObject({ data: [], next: null });
  });
});

describe('the queues', () => {
  const posts = async () => {
    const { data } = (await operator.get('/operator/queues')).body;
    return data.queues.find(({ name }: { name: string }) => name === 'posts');
  };

  test('count what is due and what is late', async () => {
    const account = await addReadyAccount(service.db, user.userId);
    const before = await posts();
    await queuePost(service, user.userId, [account]);
    expect(await posts()).toMatchObject({ due: before.due + 1, late: before.late });
    await service.db.execute(`update target set due_at = due_at - interval '5 minutes' where account_id = $1`, [
      account.id,
    ]);
    const after = await posts();
    expect(after).toMatchObject({ due: before.due + 1, late: before.late + 1 });
    expect(after.oldestSeconds).toBeGreaterThanOrEqual(300);
  });

  test('count what is tried again, by platform', async () => {
    const retrying = async () => (await operator.get('/operator/queues')).body.data.retrying;
    expect(await retrying()).toEqual([]);
    const account = await addReadyAccount(service.db, user.userId);
    await queuePost(service, user.userId, [account]);
    await queuePost(service, user.userId, [account]);
    expect(await retrying()).toEqual([]);
    await service.db.execute(`update target set trouble = '{}' where account_id = $1`, [account.id]);
    expect(await retrying()).toEqual([{ platform: 'tiktok', posts: 2 }]);
    await service.db.execute(
      `update target set state = 'failed', due_at = null, settled_at = app_now() where account_id = $1`,
      [account.id],
    );
    expect(await retrying()).toEqual([]);
  });

  test('show what finished in the last hour', async () => {
    const account = await addReadyAccount(service.db, user.userId);
    await addHistory(service.db, user.userId, account, [{ at: Date.UTC(2026, 7, 1) }]);
    await service.db.execute(
      `update target set state = 'posted', due_at = null, settled_at = app_now() - interval '7 minutes' where account_id = $1`,
      [account.id],
    );
    const { lastHour } = (await operator.get('/operator/queues')).body.data;
    expect(lastHour.posted).toBe(1);
    expect(lastHour.intervals).toHaveLength(12);
    expect(lastHour.intervals.at(-2)).toMatchObject({ posted: 1, failed: 0 });
  });

  test('show workers with their heartbeats', async () => {
    await service.db.execute('delete from worker');
    const add = (age: number, stopped: boolean) =>
      service.db.execute(
        `insert into worker (id, boot_id, pid_namespace, pid, process_start, heartbeat_at, stopped_at)
         values ($1, 'b', 'n', 1, 's', app_now() - $2 * interval '1 s', case when $3 then app_now() end)`,
        [randomUUID(), age, stopped],
      );
    await add(5, false);
    await add(500, false);
    await add(50, true);
    const { workers } = (await operator.get('/operator/queues')).body.data;
    expect(workers.map(({ state }: { state: string }) => state)).toEqual(['alive', 'silent', 'stopped']);
  });
});

test('the storage tells what is stored and what is free', async () => {
  const account = await addReadyAccount(service.db, user.userId);
  await queuePost(service, user.userId, [account]);
  const { data } = (await operator.get('/operator/storage')).body;
  const videos = data.stored.find(({ kind }: { kind: string }) => kind === 'videos');
  const [row] = await service.db.query<{ bytes: number }>(
    `select sum(bytes)::double precision as bytes from media where state = 'stored'`,
  );
  expect(videos.bytes).toBe(row?.bytes);
  expect(data.freeBytes).toBeGreaterThan(0);
  expect(data).toMatchObject({ minFreeBytes: 0, retentionDays: 30 });
});

test('the doctor reports each check with advice', async () => {
  const own = await startService({ config: { role: 'api', sandbox: false } });
  try {
    const first = await own.newSession();
    const { data } = (await first.post('/operator/doctor')).body;
    const verdicts = Object.fromEntries(
      data.map(({ name, verdict }: { name: string; verdict: string }) => [name, verdict]),
    );
    expect(verdicts).toMatchObject({ clock: 'ok', 'secret key': 'ok', 'public address': 'ok', mail: 'note' });
    expect(data).toContainEqual({
      name: 'worker',
      verdict: 'fail',
      text: expect.stringContaining('Start the service'),
    });
  } finally {
    await own.close();
  }
});
