import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createKnownBrowsers } from '../../src/users/known-browser.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
let serial = 0;
beforeAll(async () => {
  service = await startService({ config: { signup: 'open' } });
});
afterEach(async () => {
  await service.db.execute('delete from rate');
});
afterAll(() => service.close());

const address = () => `198.51.100.${++serial}`;

const signIn = (email: string, password: string, from: string, headers: Record<string, string> = {}) =>
  service.client.call('POST', '//api/auth/sign-in/email', {
    json: { email, password },
    headers: { origin: service.url, 'x-forwarded-for': from, ...headers },
  });

/** Counts the events of limits whose key has this prefix. */
const counted = async (prefix: string) => {
  const [row] = await service.db.query<{ n: number }>(
    `select coalesce(sum(cardinality(moments)), 0)::int as n from rate where starts_with(key, $1)`,
    [prefix],
  );
  return row?.n ?? 0;
};

const known = () => createKnownBrowsers({ key: service.context.secrets.links, secure: false });

/**
 * Simulates nine failed attempts: one is left, then one per minute.
 * @param cookies cookies of a known browser
 */
const nineFailed = (email: string, cookies = '') => {
  const browser = known().find(cookies, email);
  const key = ['account', known().account(email), ...(browser ? [browser] : [])].join(' ');
  return service.db.execute(
    `insert into rate (key, moments, allowed, expires_at)
     values ($1, array_fill(app_now(), array[9]), true, app_now() + interval '15 minutes')
     on conflict (key) do update set moments = excluded.moments`,
    [key],
  );
};

const statusOf = (target: string, body: string) =>
  new Promise<number>((resolve, reject) => {
    const { port } = new URL(service.url);
    const sent = httpRequest({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: target,
      agent: false,
      headers: { 'content-type': 'application/json', origin: service.url, host: `localhost:${port}` },
    });
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });

test.each([
  '/api/auth/./sign-in/email',
  '/api/auth/x/../sign-in/email',
  '/api/auth/%2e/sign-in/email',
  '/api/auth/sign%2Din/email',
  '/api/auth//sign-in/email',
  '/api/auth/sign-in/email/',
  '/api/auth/SIGN-IN/email',
  'http://evil.example/api/auth/sign-in/email',
])('sign-in at the path %s is rejected', async (target) => {
  const body = JSON.stringify({ email: 'nobody@example.org', password: 'wrong wrong 1' });
  expect(await statusOf(target, body)).toBe(404);
});

test('all concurrent guesses are counted', async () => {
  const user = await service.newSession();
  const guesses = Array.from({ length: 15 }, () => signIn(user.email, 'not the password', address()));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(11).fill(401), ...Array(4).fill(429)]);
});

test('limits guesses at one account across addresses', async () => {
  const user = await service.newSession();
  await nineFailed(user.email);
  for (let guess = 0; guess < 2; guess++)
    expect((await signIn(user.email.toUpperCase(), 'not the password', address())).status).toBe(401);
  const refused = await signIn(user.email, user.password, address());
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(120);
});

test('limits guesses at an unknown account in the same way', async () => {
  await nineFailed('nobody@example.org');
  const statuses = [];
  for (let guess = 0; guess < 3; guess++)
    statuses.push((await signIn('nobody@example.org', 'not the password', address())).status);
  expect(statuses).toEqual([401, 401, 429]);
});

test('a browser that signed in before is not locked out', async () => {
  const [user, other] = [await service.newSession(), await service.newSession()];
  for (const { email } of [user, other]) {
    await nineFailed(email);
    for (let guess = 0; guess < 2; guess++) await signIn(email, 'not the password', address());
  }
  const signInWith = (cookie: string, who = user) =>
    signIn(who.email, who.password, address(), { cookie }).then(({ status }) => status);
  const cookie = user.cookie.split('; ').find((each) => each.startsWith('reelay.browser=')) ?? '';
  expect(await signInWith('')).toBe(429);
  expect(await signInWith(`${cookie.slice(0, -2)}xx`)).toBe(429);
  expect(await signInWith(cookie, other)).toBe(429);
  expect(await signInWith(cookie)).toBe(200);
});

test('a known browser has its own limit', async () => {
  const user = await service.newSession();
  const { cookie } = user;
  await nineFailed(user.email, cookie);
  const statuses = [];
  for (let guess = 0; guess < 3; guess++)
    statuses.push((await signIn(user.email, 'not the password', address(), { cookie })).status);
  expect(statuses).toEqual([401, 401, 429]);
  expect((await signIn(user.email, user.password, address())).status).toBe(200);
});

test('all known browsers share thirty guesses an hour', async () => {
  const user = await service.newSession();
  const guess = () =>
    signIn(user.email, 'not the password', address(), { cookie: known().remember(user.email) }).then(
      ({ status }) => status,
    );
  await service.db.execute(
    `insert into rate (key, moments, allowed, expires_at)
     values ($1, array_fill(app_now(), array[29]), true, app_now() + interval '1 hour')`,
    [`account-known ${known().account(user.email)}`],
  );
  await nineFailed(user.email);
  // The last one of theirs, then those of the account.
  expect([await guess(), await guess(), await guess(), await guess()]).toEqual([401, 401, 401, 429]);
});

test('known browsers together get three more reset mails', async () => {
  const user = await service.newSession();
  const ask = async () => {
    const { status } = await service.client.call('POST', '//api/auth/request-password-reset', {
      json: { email: user.email },
      headers: { origin: service.url, 'x-forwarded-for': address(), cookie: known().remember(user.email) },
    });
    return status;
  };
  const statuses: number[] = [];
  for (let count = 0; count < 7; count++) statuses.push(await ask());
  // Without a mail server, a request that is not limited gets 400.
  expect(statuses).toEqual([...Array(6).fill(400), 429]);
});

test('a successful sign-in does not count', async () => {
  const user = await service.newSession();
  await service.db.execute('delete from rate');
  const from = address();
  expect((await signIn(user.email, user.password, from)).status).toBe(200);
  expect(await counted('sign-in')).toBe(0);
  expect(await counted('account')).toBe(0);
});

test("wrong API keys do not use up an address's sign-ins", async () => {
  const user = await service.newSession();
  const from = address();
  await service.db.execute(
    `insert into rate (key, moments, allowed, expires_at)
     values ($1, array_fill(app_now(), array[60]), true, app_now() + interval '1 minute')`,
    [`failed ${from}`],
  );
  expect((await signIn(user.email, user.password, from)).status).toBe(200);
});

test('guesses at the current password count against the account', async () => {
  const user = await service.newSession();
  await nineFailed(user.email, user.cookie);
  const statuses = [];
  for (let guess = 0; guess < 3; guess++) {
    const response = await user.call('POST', '//api/auth/change-password', {
      json: { currentPassword: 'not the password', newPassword: 'another passphrase' },
      headers: { origin: service.url },
    });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([400, 400, 429]);
});

test('every sign-up counts against its address', async () => {
  const from = address();
  const signUp = () =>
    service.signUp(`new-${++serial}@example.org`, { 'x-forwarded-for': from }).then(({ status }) => status);
  await service.newUser();
  await service.db.execute(
    `insert into rate (key, moments, allowed, expires_at)
     values ($1, array_fill(app_now(), array[19]), true, app_now() + interval '1 hour')`,
    [`sign-up ${from}`],
  );
  expect(await signUp()).toBe(200);
  expect(await signUp()).toBe(429);
});

test.each([
  'error',
  'ok',
  'verify-password',
  'update-user',
  'delete-user/callback',
  'reset-password/x',
  'callback/google',
])("better-auth's route %s is not served", async (path) => {
  for (const method of ['GET', 'POST'])
    expect((await service.client.call(method, `//api/auth/${path}`, { headers: { origin: service.url } })).status).toBe(
      404,
    );
});

test('other methods of a route are rejected', async () => {
  const response = await service.client.get('//api/auth/sign-in/email');
  expect(response).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
  expect(response.headers.get('allow')).toBe('OPTIONS, POST');
});

test.each([
  ['a lone surrogate', '{"email":"a@b.co","password":"\\ud800 wrong wrong"}'],
  ['U+0000', '{"email":"a@b.co","password":"wrong\\u0000wrong"}'],
  ['a lone surrogate in a name', '{"email":"a@b.co","password":"x","\\udfff":1}'],
  ['a long address', JSON.stringify({ email: `${'a'.repeat(8000)}@b.co`, password: 'wrong wrong' })],
  ['a long password', JSON.stringify({ email: 'a@b.co', password: 'a'.repeat(8000) })],
  ['an unknown field', JSON.stringify({ email: 'a@b.co', password: 'x', callbackURL: 'https://evil.example' })],
  ['no JSON', '{"email"'],
])('%s is rejected with 400', async (_what, body) => {
  const response = await service.client.call('POST', '//api/auth/sign-in/email', {
    body,
    headers: { origin: service.url, 'content-type': 'application/json' },
  });
  expect(response).toMatchObject({ status: 400, body: { success: false } });
});

test('a body over 16 KiB is rejected unread', async () => {
  const response = await service.client.call('POST', '//api/auth/sign-in/email', {
    json: { email: 'a@b.co', password: 'x', callbackURL: `https://e/${'a'.repeat(150_000)}` },
    headers: { origin: service.url },
  });
  expect(response).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
});

test('limits unfinished bodies per address', async () => {
  const [from, other] = [address(), address()];
  const { port } = new URL(service.url);
  const sockets = Array.from({ length: 64 }, () => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST /api/auth/sign-out HTTP/1.1\r\nhost: localhost:${port}\r\nx-forwarded-for: ${from}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    );
    return socket;
  });
  try {
    const signOut = (forwarded: string) =>
      service.client.call('POST', '//api/auth/sign-out', {
        json: {},
        headers: { origin: service.url, 'x-forwarded-for': forwarded },
      });
    // The server reads the sockets asynchronously.
    let response = await signOut(from);
    for (let tries = 0; response.status === 200 && tries < 500; tries++) response = await signOut(from);
    expect(response).toMatchObject({ status: 503, body: { code: 'busy' } });
    expect(response.headers.get('retry-after')).toBe('5');
    // A stranger must not be able to fill the log with errors.
    const logged = service.logged.filter(({ code }) => code === 'busy');
    expect(logged.map(({ level, err }) => [level, err])).toContainEqual(['info', undefined]);
    expect(logged.filter(({ level }) => level !== 'info')).toEqual([]);
    expect((await signOut(other)).status).toBe(200);
    await Promise.all(sockets.map((socket) => once(socket.destroy(), 'close')));
    for (let tries = 0; response.status !== 200 && tries < 500; tries++) response = await signOut(from);
    expect(response.status).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});
