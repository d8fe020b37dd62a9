import { scryptSync } from 'node:crypto';
import { Socket } from 'node:net';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { Overrides } from '../../src/app/server.ts';
import type { Config } from '../../src/config/config.ts';
import { firstSteps } from '../../src/users/first-user.ts';
import { suspendUser } from '../../src/users/service.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
/** Services by configuration. Each is shared, and has no users when a test begins. */
const started = new Map<string, Promise<TestService>>();
beforeEach(() => use());
afterAll(async () => {
  for (const each of started.values()) await (await each).close();
});

/** Sets `service` to one with this configuration. Equal configurations have equal overrides. */
async function use(config: Partial<Config> = {}, overrides?: Partial<Overrides>): Promise<void> {
  const name = JSON.stringify(config);
  const shared = started.get(name) ?? startService({ config, overrides });
  started.set(name, shared);
  service = await shared;
  await service.db.execute('delete from auth."user"');
  await service.db.execute('delete from rate');
}

const signIn = (email: string, password: string, headers: Record<string, string> = {}) =>
  service.client.call('POST', '//api/auth/sign-in/email', {
    json: { email, password },
    headers: { origin: service.url, ...headers },
  });

test('one of eight concurrent first sign-ups becomes operator', async () => {
  const responses = await Promise.all(Array.from({ length: 8 }, (_, at) => service.signUp(`first-${at}@example.org`)));
  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array(7).fill(403)]);
  expect(await service.db.query('select operator, plan from auth."user"')).toEqual([{ operator: true, plan: 'PRO' }]);
  expect(await service.db.query('select count(*) from auth.account')).toEqual([{ count: 1 }]);
});

test('open sign-up accepts all and makes one operator', async () => {
  await use({ signup: 'open', defaultPlan: 'FREE' });
  const responses = await Promise.all(Array.from({ length: 5 }, (_, at) => service.signUp(`open-${at}@example.org`)));
  expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect(await service.db.query('select count(*) from auth."user" where operator')).toEqual([{ count: 1 }]);
  expect(await service.db.query('select distinct plan from auth."user"')).toEqual([{ plan: 'FREE' }]);
});

test('closed sign-up rejects the first user too', async () => {
  await use({ signup: 'closed' });
  expect(await service.signUp('a@example.org')).toMatchObject({
    status: 403,
    body: { success: false, code: 'sign_up_closed' },
  });
});

test('closed sign-up does not reveal who has an account', async () => {
  const user = await service.newUser();
  const taken = await service.signUp(user.email);
  const free = await service.signUp('nobody@example.org');
  expect(taken.status).toBe(403);
  expect([free.status, free.body]).toEqual([taken.status, taken.body]);
});

test('a public first sign-up requires the printed token', async () => {
  await use({ publicUrl: 'http://reelay.example', signup: 'open' });
  const { db, config, secrets } = service.context;
  const origin = config.publicUrl;
  const token = /sign-in#(\S+)/.exec((await firstSteps(db, config, secrets)).join('\n'))?.[1] ?? '';
  expect(token.length).toBeGreaterThan(20);
  for (const headers of [{}, { 'x-reelay-sign-up-token': `${token}x` }] as Record<string, string>[])
    expect(await service.signUp('a@example.org', { origin, ...headers })).toMatchObject({
      status: 403,
      body: { code: 'sign_up_token_needed' },
    });
  const first = await service.signUp('a@example.org', { origin, 'x-reelay-sign-up-token': token });
  expect(first.status).toBe(200);
  // Once a user exists, the token is useless and startup prints no more instructions.
  expect(await service.signUp('b@example.org', { origin })).toMatchObject({ status: 200 });
  expect(await firstSteps(db, config, secrets)).toEqual([]);
});

test('a remote first sign-up always requires the token', async () => {
  const response = await service.signUp('a@example.org', { 'x-forwarded-for': '203.0.113.9' });
  expect(response).toMatchObject({ status: 403, body: { code: 'sign_up_token_needed' } });
  expect(response.body.message).toContain('Set PUBLIC_URL');
  expect((await service.signUp('a@example.org')).status).toBe(200);
});

test('local startup prints instructions without a token', async () => {
  const { db, config, secrets } = service.context;
  const steps = (await firstSteps(db, config, secrets)).join('\n');
  expect(steps).toContain('npx reelay users create --email you@example.org');
  expect(steps).toContain(`${config.publicUrl}/app/sign-in\n`);
  const open = { ...config, listen: { ...config.listen, host: '0.0.0.0' } };
  expect((await firstSteps(db, open, secrets)).join('\n')).toMatch(/\/app\/sign-in#[\w-]{24}\n/);
  expect((await firstSteps(db, { ...open, signup: 'closed' }, secrets)).join('\n')).not.toContain('sign-in');
});

test('sign-up cannot set the operator flag or plan', async () => {
  await use({ signup: 'open', defaultPlan: 'FREE' });
  await service.signUp('first@example.org');
  const greedy = await service.client.call('POST', '//api/auth/sign-up/email', {
    json: { email: 'b@example.org', name: 'b', password: 'correct horse battery', operator: true, plan: 'PRO' },
    headers: { origin: service.url },
  });
  expect(greedy).toMatchObject({ status: 400, body: { code: 'unknown_field' } });
  expect(await service.db.query('select from auth."user" where email = $1', ['b@example.org'])).toEqual([]);
});

test('sign-in errors do not reveal who has an account', async () => {
  const user = await service.newSession();
  const wrong = await signIn(user.email, 'not the password');
  const nobody = await signIn('nobody@example.org', 'not the password');
  expect(wrong.status).toBe(401);
  expect(wrong.body).toMatchObject({ success: false, code: 'invalid_email_or_password' });
  expect(nobody.body).toEqual(wrong.body);
  expect(wrong.headers.get('x-request-id')).not.toBeNull();
});

test('limits failed sign-ins to 60 per minute and address', async () => {
  const user = await service.newSession();
  const from = { 'x-forwarded-for': '198.51.100.9' };
  await service.db.execute(
    `insert into rate (key, moments, allowed, expires_at)
     values ('sign-in 198.51.100.9', array_fill(app_now(), array[59]), true, app_now() + interval '1 minute')`,
  );
  expect((await signIn(user.email, 'not the password', from)).status).toBe(401);
  const { status, body } = await signIn(user.email, user.password, from);
  expect(status).toBe(429);
  expect(body).toMatchObject({ success: false, code: 'rate_limited' });
  expect((await signIn(user.email, user.password)).status).toBe(200);
});

test('a suspended user loses sessions and cannot sign in', async () => {
  const user = await service.newSession();
  await suspendUser(service.db, user.email);
  expect((await user.get('/reposts')).status).toBe(401);
  expect(await signIn(user.email, user.password)).toMatchObject({ status: 403, body: { code: 'account_suspended' } });
});

test('a session writes only with the CSRF header', async () => {
  const user = await service.newSession();
  expect((await user.bare.get('/reposts')).status).toBe(200);
  for (const path of ['/user/api-key/generate', '/user/api-key/revoke', '/repost/delete'])
    expect(await user.bare.post(path)).toMatchObject({ status: 403, body: { code: 'csrf_required' } });
  for (const value of ['0', 'true', ''])
    expect(
      (await user.bare.call('POST', '/user/api-key/generate', { headers: { 'x-reelay-csrf': value } })).status,
    ).toBe(403);
  expect((await user.post('/user/api-key/generate')).status).toBe(200);
});

test('an API key needs no CSRF header', async () => {
  const user = await service.newUser();
  expect((await user.post('/user/api-key/generate')).status).toBe(200);
});

test('sign-out ends a session; a forged cookie is rejected', async () => {
  const user = await service.newSession();
  const forged = user.cookie.replace(
    /session_token=./,
    (found) => found.slice(0, -1) + (found.endsWith('a') ? 'b' : 'a'),
  );
  expect((await service.clientWith({ cookie: forged }).get('/reposts')).status).toBe(401);
  const out = await user.call('POST', '//api/auth/sign-out', { json: {}, headers: { origin: service.url } });
  expect(out.status).toBe(200);
  expect((await user.get('/reposts')).status).toBe(401);
});

test('another site cannot sign users out', async () => {
  const user = await service.newSession();
  const response = await user.call('POST', '//api/auth/sign-out', {
    json: {},
    headers: { origin: 'https://elsewhere.example' },
  });
  expect(response).toMatchObject({ status: 403, body: { success: false } });
  expect((await user.get('/reposts')).status).toBe(200);
});

test('a session recovers after database connections are cut', async () => {
  const user = await service.newSession();
  for (let round = 0; round < 3; round++) {
    await service.db.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    // Connections that broke unnoticed are detected one by one; then everything works again.
    const responses = [];
    do {
      const { status, body } = await user.get('/reposts');
      if (status !== 200) expect([status, body.code]).toEqual([503, 'database_unavailable']);
      responses.push(status);
    } while (responses.at(-1) !== 200 && responses.length < 20);
    expect(responses.at(-1)).toBe(200);
  }
});

test('unknown sign-in requests get the usual error format', async () => {
  expect(await service.client.get('//api/auth/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const text = await service.client.call('POST', '//api/auth/sign-in/email', {
    body: 'email=a',
    headers: { origin: service.url, 'content-type': 'text/plain' },
  });
  expect(text).toMatchObject({ status: 415, body: { success: false } });
  expect((await service.client.call('DELETE', '//api/auth/session')).status).toBe(404);
});

test('the cookie is secure over https', async () => {
  await use({ publicUrl: 'https://reelay.example', httpsOnly: true });
  const { db, config, secrets } = service.context;
  const token = /sign-in#(\S+)/.exec((await firstSteps(db, config, secrets)).join('\n'))?.[1] ?? '';
  const { headers, status } = await service.signUp('a@example.org', {
    origin: config.publicUrl,
    'x-forwarded-proto': 'https',
    'x-reelay-sign-up-token': token,
  });
  expect(status).toBe(200);
  const [cookie] = headers.getSetCookie();
  expect(cookie).toMatch(
    /^__Host-reelay\.session_token=\S+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(headers.getSetCookie()[1]).toMatch(/^__Host-reelay\.browser=\S+; .*Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  const read = (name: string) =>
    service.client.call('GET', '/reposts', {
      headers: { 'x-forwarded-proto': 'https', cookie: (cookie?.split(';', 1)[0] ?? '').replace('__Host-', name) },
    });
  expect((await read('__Host-')).status).toBe(200);
  for (const name of ['', '__Secure-']) expect((await read(name)).status).toBe(401);
});

test('a service hashes passwords with scrypt', async () => {
  await use({ signup: 'open', defaultPlan: 'PRO' }, { passwords: undefined });
  expect((await service.signUp('a@example.org')).status).toBe(200);
  expect((await service.signUp('b@example.org')).status).toBe(200);
  const stored = await service.db.query<{ password: string }>('select password from auth.account');
  const work = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
  const salts = stored.map(({ password }) => {
    const [salt = '', key] = password.split(':');
    expect(key).toBe(scryptSync('correct horse battery', salt, 64, work).toString('hex'));
    return salt;
  });
  expect(salts).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.not.stringContaining(salts[0] ?? '')]);
  expect((await signIn('a@example.org', 'correct horse battery')).status).toBe(200);
  expect((await signIn('a@example.org', 'correct horse batterz')).status).toBe(401);
});

test('all 128 characters of a password count', async () => {
  await use({ signup: 'open', defaultPlan: 'PRO' }, { passwords: undefined });
  const middle = Array.from({ length: 126 }, (_, at) => String.fromCodePoint(0x4e00 + 7 * at)).join('');
  const signUp = (email: string, password: string) =>
    service.client.call('POST', '//api/auth/sign-up/email', {
      json: { email, name: email, password },
      headers: { origin: service.url },
    });
  const password = ` ${middle} `;
  expect((await signUp('a@example.org', password)).status).toBe(200);
  expect((await signUp('b@example.org', `${password}x`)).status).toBe(400);
  const others = [middle, `${password.slice(0, 127)}x`, password.slice(0, 127), `x${password.slice(1)}`];
  for (const other of others) expect((await signIn('a@example.org', other)).status).toBe(401);
  expect((await signIn('a@example.org', password)).status).toBe(200);
});

test('a password never expires', async () => {
  const user = await service.newSession();
  const old = "created_at = now() - interval '10 years', updated_at = now() - interval '10 years'";
  await service.db.execute(`update auth.account set ${old} where user_id = $1`, [user.userId]);
  await service.db.execute(`update auth."user" set ${old} where id = $1`, [user.userId]);
  const { status, headers, body } = await signIn(user.email, user.password);
  expect([status, body.user.email]).toEqual([200, user.email]);
  const cookie = headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  expect((await service.clientWith({ cookie }).get('/user')).status).toBe(200);
});

test('signing up and in connects to no other machine', async () => {
  const connect = vi.spyOn(Socket.prototype, 'connect');
  try {
    await use({ signup: 'open', defaultPlan: 'STARTER' });
    expect((await service.signUp('a@example.org')).status).toBe(200);
    expect((await signIn('a@example.org', 'correct horse battery')).status).toBe(200);
    const challenge = { json: {}, headers: { origin: service.url } };
    const options = await service.client.call('POST', '//api/auth/passkey/generate-authenticate-options', challenge);
    expect(options.status).toBe(200);
    const reached = connect.mock.calls.map(([given]) => {
      const [{ path, host }] = [given].flat() as unknown as [{ path?: string; host?: string }];
      return path ?? host ?? 'localhost';
    });
    expect(reached).toContain('localhost');
    expect(reached.filter((each) => !/^(?:localhost|127\.0\.0\.1|::1|\/.*)$/.test(each))).toEqual([]);
  } finally {
    connect.mockRestore();
  }
});

test('passwords, email addresses and cookies are not logged', async () => {
  const user = await service.newSession();
  await signIn(user.email, 'a wrong password');
  await service.signUp('late@example.org');
  const log = JSON.stringify(service.logged);
  for (const secret of [user.password, 'a wrong password', user.email, 'late@example.org', user.cookie.slice(0, 60)])
    expect(log).not.toContain(secret);
});
