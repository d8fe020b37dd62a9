/** What the API says of a target that has to be tried again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  // As a worker of the version before leaves it.
  await service.db.execute(`${end} where post_id = $1`, [id]);
  expect((await user.get(`/post/${id}`)).body.data.targets[0]).not.toHaveProperty('trouble');
  expect((await user.call('POST', `/post/${id}/retry`, { json: { platforms: [accounts[0].id] } })).status).toBe(200);
  const [target] = (await user.get(`/post/${id}`)).body.data.targets;
  expect(target).toMatchObject({ status: 'PENDING' });
  expect(target).not.toHaveProperty('trouble');
});

describe('a try now', () => {
  /** In how many hours the accounts are due. The test itself takes seconds at most. */
  const dueIn = async (id: string) => {
    const targets = await service.db.query<{ hours: number }>(
      `select round(extract(epoch from due_at - app_now()) / 3600)::integer as hours from target
       where post_id = $1 order by position`,
      [id],
    );
    return targets.map(({ hours }) => hours);
  };
  const laneIsDue = async (accountId: string) => {
    const [lane] = await service.db.query<{ due: boolean }>(
      `select next_due_at <= app_now() as due from lane l join account a using (identity_id) where a.id = $1`,
      [accountId],
    );
    return lane?.due;
  };
  /** A post whose accounts wait for an hour, all of them in trouble. */
  async function waitingPost(states: readonly string[], code = 'platform_unavailable') {
    const user = await service.newUser();
    const accounts = await Promise.all(states.map(() => addReadyAccount(service.db, user.userId)));
    const id = await queuePost(service, user.userId, accounts);
    const trouble = { code, reason: REASON, platformCode: null, since: SINCE, attempts: 1 };
    for (const [at, state] of states.entries())
      await service.db.execute(
        `update target set state = $3, trouble = $4, due_at = app_now() + interval '1 hour', checkpoint = '\\x01'
         where post_id = $1 and account_id = $2`,
        [id, accounts[at]?.id, state, trouble],
      );
    await service.db.execute(
      `update lane set next_due_at = app_now() + interval '1 hour' where identity_id = any($1::uuid[])`,
      [accounts.map(({ identityId }) => identityId)],
    );
    const tryNow = (json?: unknown) => user.call('POST', `/post/${id}/try-now`, json === undefined ? {} : { json });
    return { id, user, accounts, tryNow };
  }

  test('moves the next attempt of all accounts in trouble', async () => {
    const { id, accounts, tryNow } = await waitingPost(['waiting', 'unknown', 'confirming']);
    const { status, body } = await tryNow();
    expect(status).toBe(200);
    expect(body.data.targets.map((target: { timeline: unknown[] }) => target.timeline.at(-1))).toEqual(
      Array(3).fill(expect.objectContaining({ event: 'retry', text: 'You asked to try again now.' })),
    );
    expect(await dueIn(id)).toEqual([0, 0, 0]);
    for (const account of accounts) expect(await laneIsDue(account.id)).toBe(true);
    const rows = await service.db.query('select state, checkpoint from target where post_id = $1 order by position', [
      id,
    ]);
    expect(rows).toEqual(
      ['waiting', 'unknown', 'confirming'].map((state) => ({ state, checkpoint: Buffer.from([1]) })),
    );
  });

  test('chooses accounts by id and by cause', async () => {
    const { id, accounts, tryNow } = await waitingPost(['waiting', 'waiting']);
    expect((await tryNow({ platforms: [accounts[1]?.id] })).status).toBe(200);
    expect(await dueIn(id)).toEqual([1, 0]);
    expect(await tryNow({ code: 'internal_error' })).toMatchObject({ status: 409, body: { code: 'nothing_to_try' } });
    expect((await tryNow({ code: 'platform_unavailable' })).status).toBe(200);
    expect(await dueIn(id)).toEqual([0, 0]);
  });

  test('moves the attempt of an account once in 30 seconds', async () => {
    const { id, tryNow } = await waitingPost(['waiting']);
    await tryNow();
    // What a worker writes after a failure.
    await service.db.execute(`update target set due_at = app_now() + interval '1 hour' where post_id = $1`, [id]);
    expect((await tryNow()).status).toBe(200);
    expect(await dueIn(id)).toEqual([1]);
    await service.db.execute(
      `update target set trouble = trouble || jsonb_build_object('movedAt', (trouble->>'movedAt')::bigint - 31000)
       where post_id = $1`,
      [id],
    );
    await tryNow();
    expect(await dueIn(id)).toEqual([0]);
  });

  test('is refused if no account is in trouble', async () => {
    const { tryNow, user } = await waitingPost([]);
    const other = await waitingPost(['waiting']);
    const calm = await queuePost(service, user.userId, [await addReadyAccount(service.db, user.userId)]);
    expect((await user.call('POST', `/post/${calm}/try-now`)).body.code).toBe('nothing_to_try');
    expect((await user.call('POST', `/post/${other.id}/try-now`)).body.code).toBe('unknown_post');
    expect((await user.call('POST', '/post/none/try-now')).body.code).toBe('unknown_post');
    expect((await other.tryNow({ platforms: ['none'] })).body.code).toBe('unknown_platform');
    expect((await tryNow()).status).toBe(409);
  });

  test('leaves a send in progress alone', async () => {
    const { id, tryNow } = await waitingPost(['committing']);
    expect((await tryNow()).status).toBe(200);
    expect(await dueIn(id)).toEqual([1]);
  });
});

describe('a stop', () => {
  const targetsOf = (id: string) =>
    service.db.query(
      `select state, stop_requested as stop, due_at <= app_now() as due, version from target where post_id = $1
       order by position`,
      [id],
    );

  test('asks the workers to end what is open', async () => {
    const user = await service.newUser();
    const accounts = await Promise.all([0, 1, 2].map(() => addReadyAccount(service.db, user.userId)));
    const id = await queuePost(service, user.userId, accounts);
    const leave = (at: number, columns: string) =>
      service.db.execute(`update target set ${columns} where post_id = $1 and account_id = $2`, [id, accounts[at]?.id]);
    await leave(0, `state = 'waiting', due_at = app_now() + interval '1 hour'`);
    await leave(1, `state = 'committing', due_at = app_now() + interval '1 hour'`);
    await leave(2, `state = 'posted', due_at = null, settled_at = app_now()`);
    const { status, body } = await user.call('POST', `/post/${id}/stop`);
    expect([status, body.data.targets[0].timeline.at(-1).text]).toEqual([200, 'You asked to stop trying.']);
    const [waiting, committing, posted] = await targetsOf(id);
    expect(waiting).toMatchObject({ state: 'waiting', stop: true, due: true, version: 1 });
    // The outcome of a send in progress is still written.
    expect(committing).toMatchObject({ state: 'committing', stop: true, due: false, version: 0 });
    expect(posted).toMatchObject({ stop: false });
    expect((await user.call('POST', `/post/${id}/stop`)).status).toBe(200);
    expect((await targetsOf(id)).map(({ version }) => version)).toEqual([1, 0, 0]);
  });

  test('is refused if nothing is open', async () => {
    const user = await service.newUser();
    const account = await addReadyAccount(service.db, user.userId);
    const id = await queuePost(service, user.userId, [account]);
    const stop = (json: unknown) => user.call('POST', `/post/${id}/stop`, { json });
    expect((await stop({ code: 'platform_unavailable' })).body.code).toBe('nothing_to_stop');
    expect((await stop({ platforms: ['none'] })).body.code).toBe('unknown_platform');
    await service.db.execute(
      `update target set state = 'failed', code = 'stopped', due_at = null, settled_at = app_now(), stop_requested = true
       where post_id = $1`,
      [id],
    );
    expect(await stop({})).toMatchObject({ status: 409, body: { code: 'nothing_to_stop' } });
    expect((await user.call('POST', `/post/${id}/retry`)).status).toBe(200);
    expect(await targetsOf(id)).toMatchObject([{ state: 'waiting', stop: false }]);
  });

  test('is not announced as a failure', async () => {
    const user = await service.newUser();
    const account = await addReadyAccount(service.db, user.userId);
    const id = await queuePost(service, user.userId, [account]);
    const end = (code: string) =>
      service.db.execute(
        `update target set state = 'failed', code = $2, due_at = null, settled_at = app_now() where post_id = $1`,
        [id, code],
      );
    const count = async () =>
      (await service.db.query('select from notification where user_id = $1', [user.userId])).length;
    await end('stopped');
    expect(await count()).toBe(0);
    await service.db.execute(`update target set state = 'waiting', due_at = app_now() where post_id = $1`, [id]);
    await end('platform_error');
    expect(await count()).toBe(1);
  });
});
