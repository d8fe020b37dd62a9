import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/app/operations.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ config: { rateLimit: 'per-minute' } });
});
afterAll(() => service.close());

const sessionOnly = OPERATIONS.filter(({ auth }) => auth === 'session');
const NO_ID = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b';

test('a key on a session-only operation gets 403 session_required', async () => {
  expect(sessionOnly.length).toBeGreaterThan(3);
  const user = await service.newUser();
  for (const [at, { method, path, id }] of sessionOnly.entries()) {
    const response = await user.call(method, path.replace(/\{\w+\}/, NO_ID), method === 'GET' ? {} : { json: {} });
    expect([id, response.status, response.body.code]).toEqual([id, 403, 'session_required']);
    expect(response.body.message).toContain('/api/auth/sign-in/email');
    expect(response.headers.get('ratelimit-remaining')).toBe(String(59 - at));
  }
});

test('rejected keys count against their own limit, not sign-in', async () => {
  const user = await service.newUser();
  for (let count = 0; count < 60; count++)
    expect((await user.get('/accounts/attempts')).body.code).toBe('session_required');
  expect(await user.get('/accounts/attempts')).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  const [failed] = await service.db.query(`select count(*) from rate where key like 'failed %'`);
  expect(failed).toEqual({ count: 0 });
  await service.newSession();
});

test('a wrong key on a session-only operation gets 401', async () => {
  const stranger = service.clientWith({ authorization: `Bearer rly_${'0'.repeat(46)}` });
  expect(await stranger.get('/accounts/attempts')).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
});

test("the suspension of a key's owner is reported first", async () => {
  const user = await service.newUser();
  await service.db.execute('update auth."user" set suspended = true where id = $1', [user.userId]);
  expect((await user.get('/accounts/attempts')).body.code).toBe('account_suspended');
});
