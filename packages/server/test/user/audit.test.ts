import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_ROWS_OF_ACTION, sweepAudit } from '../../src/audit/write-audit.ts';
import {
  createUser,
  deleteUser,
  resumeUser,
  setLate,
  setPassword,
  setPlan,
  suspendUser,
} from '../../src/users/service.ts';
import { addAccount } from '../harness/rows.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ config: { signup: 'open' } });
});
afterAll(() => service.close());

const FROM = '203.0.113.7';
const post = (path: string, json: unknown, headers: Record<string, string> = {}) =>
  service.client.call('POST', `//api/auth/${path}`, {
    json,
    headers: { origin: service.url, 'x-forwarded-for': FROM, ...headers },
  });

interface Row {
  user_id: string | null;
  actor: string;
  action: string;
  subject: string;
  address: string | null;
}

/** Returns the audit rows written by the work, oldest first. */
async function rowsOf(work: () => Promise<unknown>): Promise<Row[]> {
  await service.db.execute('delete from audit');
  await work();
  return service.db.query<Row>('select user_id, actor, action, subject, address from audit order by at, id');
}

test('the audit log has sign-ins, including rejected ones', async () => {
  const user = await service.newSession();
  const { userId } = user;
  const rows = await rowsOf(async () => {
    await post('sign-in/email', { email: user.email, password: user.password });
    await post('sign-in/email', { email: user.email, password: 'not the password' });
    await post('sign-in/email', { email: 'nobody@example.org', password: 'not the password' });
  });
  expect(rows).toEqual([
    { user_id: userId, actor: 'visitor', action: 'session.begin', subject: userId, address: FROM },
    { user_id: userId, actor: 'visitor', action: 'session.refuse', subject: userId, address: FROM },
    { user_id: null, actor: 'visitor', action: 'session.refuse', subject: expect.any(String), address: FROM },
  ]);
  expect(JSON.stringify(rows)).not.toContain('@');
});

test('the audit log has sign-ups and changed passwords', async () => {
  await service.newUser();
  const rows = await rowsOf(async () => {
    const made = await post('sign-up/email', { email: 'a@example.org', name: 'A', password: 'correct horse battery' });
    const cookie = made.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const change = { currentPassword: 'correct horse battery', newPassword: 'another passphrase', revokeApiKey: true };
    await post('change-password', { ...change, currentPassword: 'not the password' }, { cookie });
    await post('change-password', change, { cookie });
  });
  // Rows of the same millisecond have no order.
  expect(rows.map(({ actor, action }) => `${actor} ${action}`).sort()).toEqual([
    'session key.revoke',
    'session password.change',
    'session password.refuse',
    'visitor user.create',
  ]);
  expect(new Set(rows.map((row) => row.address))).toEqual(new Set([FROM]));
});

test('the audit log records keys and rules', async () => {
  const user = await service.newSession();
  const [from, to] = [await addAccount(service.db, user.userId), await addAccount(service.db, user.userId)];
  const rows = await rowsOf(async () => {
    await user.post('/user/api-key/generate');
    await user.post('/user/api-key/revoke');
    const { id } = (await user.post('/repost/add', { from: from.id, to: [to.id] })).body;
    await user.post('/repost/pause', { id, isPaused: true });
    await user.post('/repost/pause', { id, isPaused: false });
    await user.post('/repost/delete', { id });
    await user.post('/repost/delete', { id });
  });
  expect(rows.map(({ actor, action }) => `${actor} ${action}`)).toEqual(
    ['key.generate', 'key.revoke', 'rule.add', 'rule.pause', 'rule.resume', 'rule.delete'].map(
      (action) => `session ${action}`,
    ),
  );
  expect(rows.every((row) => row.user_id === user.userId && row.address !== null)).toBe(true);
  expect(rows[0]?.subject).toMatch(/^rly_\w{8}$/);
});

test('the audit log records platform applications', async () => {
  const user = await service.newSession();
  await service.db.execute('update auth."user" set operator = true where id = $1', [user.userId]);
  const { body } = await user.get('/platform/setup');
  const name = body.data.flatMap((each: { applications: { name: string }[] }) => each.applications)[0].name;
  const rows = await rowsOf(async () => {
    await user.call('PUT', `/platform/setup/${name}`, { json: { clientId: 'id', clientSecret: 'very secret' } });
    await user.call('DELETE', `/platform/setup/${name}`);
  });
  expect(rows.map(({ action, subject }) => [action, subject])).toEqual([
    ['application.set', name],
    ['application.remove', name],
  ]);
});

test('the audit log has user commands', async () => {
  const { db } = service;
  const email = 'managed@example.org';
  const rows = await rowsOf(async () => {
    await createUser(db, { email, plan: 'FREE' });
    await setPlan(db, email, 'PRO');
    await setLate(db, email, 'skip');
    await setPassword(db, email);
    await suspendUser(db, email);
    await resumeUser(db, email);
  });
  expect(rows.map(({ actor, action }) => `${actor}: ${action}`)).toEqual(
    ['user.create', 'user.plan', 'user.late', 'password.change', 'user.suspend', 'user.resume'].map(
      (action) => `command line: ${action}`,
    ),
  );
});

test('rows of a deleted user stay without personal data', async () => {
  const user = await service.newSession();
  const rows = await rowsOf(async () => {
    await user.post('/user/api-key/generate');
    await deleteUser(service.db, user.email);
  });
  expect(rows).toEqual([
    { user_id: null, actor: 'session', action: 'key.generate', subject: expect.any(String), address: null },
    { user_id: null, actor: 'command line', action: 'user.delete', subject: user.userId, address: null },
  ]);
});

test('the sweep deletes old rows, rejected sign-ins earlier', async () => {
  await service.db.execute('delete from audit');
  await service.db.execute(
    `insert into audit (at, actor, action, subject)
     select app_now() - make_interval(days => days), 'visitor', action, days::text
     from unnest(array[29, 31, 364, 366]) days, unnest(array['session.begin', 'session.refuse']) action`,
  );
  expect(await sweepAudit(service.db)).toBe(4);
  expect(await service.db.query('select subject from audit where action = $1 order by 1', ['session.begin'])).toEqual([
    { subject: '29' },
    { subject: '31' },
    { subject: '364' },
  ]);
});

test('the sweep keeps the newest rows of each action', async () => {
  await service.db.execute('delete from audit');
  const [user, other] = [await service.newSession(), await service.newSession()];
  const add = (userId: string, action: string, count: number) =>
    service.db.execute(
      `insert into audit (at, user_id, actor, action, subject)
       select app_now() - make_interval(mins => n), $1, 'session', $2, n::text from generate_series(1, $3) n`,
      [userId, action, count],
    );
  await add(user.userId, 'rule.edit', MAX_ROWS_OF_ACTION + 6_000);
  await add(user.userId, 'session.refuse', MAX_ROWS_OF_ACTION + 1);
  await add(user.userId, 'key.generate', 3);
  await add(other.userId, 'rule.edit', MAX_ROWS_OF_ACTION);
  const countRows = () =>
    service.db.query(
      `select user_id = $1 as mine, action, count(*)::integer as rows, max(subject::integer) as oldest from audit
       where subject ~ '^[0-9]+$' group by 1, 2 order by 1, 2`,
      [user.userId],
    );
  expect(await sweepAudit(service.db)).toBe(6_001);
  expect(await countRows()).toEqual([
    { mine: false, action: 'rule.edit', rows: MAX_ROWS_OF_ACTION, oldest: MAX_ROWS_OF_ACTION },
    { mine: true, action: 'key.generate', rows: 3, oldest: 3 },
    { mine: true, action: 'rule.edit', rows: MAX_ROWS_OF_ACTION, oldest: MAX_ROWS_OF_ACTION },
    { mine: true, action: 'session.refuse', rows: MAX_ROWS_OF_ACTION, oldest: MAX_ROWS_OF_ACTION },
  ]);
  expect(await sweepAudit(service.db)).toBe(0);
});
