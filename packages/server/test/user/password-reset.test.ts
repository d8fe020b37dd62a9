import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { suspendUser } from '../../src/users/service.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../harness/smtp.ts';

let service: TestService;
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  service = await startService({
    config: { mail: { smtpUrl: mail.url, from: 'Reelay <reelay@example.org>', requireTls: false } },
  });
});
afterEach(async () => {
  mail.mails.length = 0;
  await service.db.execute('delete from rate');
});
afterAll(async () => {
  await service.close();
  await mail.close();
});

const NEW = 'another passphrase';

const ask = (email: string, headers: Record<string, string> = {}) =>
  service.client.call('POST', '//api/auth/request-password-reset', {
    json: { email },
    headers: { origin: service.url, ...headers },
  });
const reset = (token: string, more: Record<string, unknown> = {}) =>
  service.client.call('POST', '//api/auth/reset-password', {
    json: { token, newPassword: NEW, ...more },
    headers: { origin: service.url },
  });
const signIn = (email: string, password: string) =>
  service.client
    .call('POST', '//api/auth/sign-in/email', { json: { email, password }, headers: { origin: service.url } })
    .then(({ status }) => status);

const LINK = 'Reset your Reelay password';
const NOTICE = 'Your Reelay password was changed';

/** Waits for a mail with this subject to this address, and removes it from the received mails. */
async function mailTo(email: string, subject = LINK) {
  const isIt = ({ to, content }: ReceivedMail) => to.includes(email) && content.includes(`\nSubject: ${subject}\n`);
  await expect.poll(() => mail.mails.some(isIt), { timeout: 20_000 }).toBe(true);
  const [received] = mail.mails.splice(mail.mails.findIndex(isIt), 1);
  if (!received) throw new Error('No mail.');
  return received;
}

/** Requests a link for the user and returns its token. */
async function tokenFor(email: string): Promise<string> {
  expect((await ask(email)).status).toBe(200);
  const { content } = await mailTo(email);
  return new RegExp(`^${service.context.config.publicUrl}/app/reset-password#(\\S+)$`, 'm').exec(content)?.[1] ?? '';
}

test('mails a link that replaces the password once', async () => {
  const user = await service.newSession();
  expect((await service.client.get('/sign-in/options')).body.data.passwordReset).toBe('mail');
  const response = await ask(user.email.toUpperCase());
  expect(response).toMatchObject({ status: 200, body: { status: true } });
  const received = await mailTo(user.email);
  expect(received).toMatchObject({ from: 'reelay@example.org', to: [user.email] });
  expect(received.content).toMatch(/^Auto-Submitted: auto-generated$/im);
  expect(received.content).toContain('within 60 minutes');
  const token = /reset-password#(\S+)/.exec(received.content)?.[1] ?? '';
  const link = `${service.url}/app/reset-password#${token}`;
  expect(received.html).toContain(`href="${link}"`);
  expect(await reset(token)).toMatchObject({ status: 200, body: { status: true, apiKey: 'none' } });
  expect((await mailTo(user.email, NOTICE)).to).toEqual([user.email]);
  expect((await user.get('/user')).status).toBe(401);
  expect(await signIn(user.email, user.password)).toBe(401);
  expect(await signIn(user.email, NEW)).toBe(200);
  expect(await reset(token)).toMatchObject({ status: 400, body: { success: false, code: 'invalid_token' } });
  expect(
    await service.db.query(
      `select actor, action from audit where user_id = $1 and action like 'password.%' order by at`,
      [user.userId],
    ),
  ).toEqual([
    { actor: 'visitor', action: 'password.link' },
    { actor: 'visitor', action: 'password.reset' },
  ]);
});

test('an unknown address gets the same response, without mail', async () => {
  const user = await service.newSession();
  const [unknown, known] = [await ask('nobody@example.org'), await ask(user.email)];
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  await mailTo(user.email);
  expect(mail.mails.filter(({ to }) => to.includes('nobody@example.org'))).toEqual([]);
});

test('the response precedes the search for the account', async () => {
  const user = await service.newSession();
  const lock = await service.db.pool.connect();
  await lock.query('begin');
  await lock.query('lock table auth."user" in access exclusive mode');
  try {
    for (const email of [user.email, 'nobody@example.org']) expect((await ask(email)).status).toBe(200);
  } finally {
    await lock.query('rollback');
    lock.release();
  }
  await mailTo(user.email);
});

test('an expired link is rejected', async () => {
  const user = await service.newSession();
  const token = await tokenFor(user.email);
  await service.db.execute(
    `update auth.verification set expires_at = expires_at - interval '61 minutes' where value = $1`,
    [user.userId],
  );
  expect(await reset(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
  expect(await signIn(user.email, user.password)).toBe(200);
});

test('the database does not contain the token of a link', async () => {
  const user = await service.newSession();
  const token = await tokenFor(user.email);
  const rows = await service.db.query<{ identifier: string }>('select identifier from auth.verification');
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(token);
  for (const { identifier } of rows) expect((await reset(identifier)).status).toBe(400);
  expect((await reset(token)).status).toBe(200);
});

test('one of several concurrent resets succeeds', async () => {
  const user = await service.newSession();
  const token = await tokenFor(user.email);
  const statuses = (await Promise.all([reset(token), reset(token), reset(token)])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 400, 400]);
});

test('a password that is not allowed keeps the link', async () => {
  const user = await service.newSession();
  const token = await tokenFor(user.email);
  for (const newPassword of ['short', 'password1234', user.email])
    expect(await reset(token, { newPassword })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect((await reset(token)).status).toBe(200);
});

test('a password change invalidates other links', async () => {
  const user = await service.newSession();
  const [first, second] = [await tokenFor(user.email), await tokenFor(user.email)];
  expect((await reset(first)).status).toBe(200);
  expect((await reset(second)).status).toBe(400);
  const third = await tokenFor(user.email);
  const again = await service.client.call('POST', '//api/auth/sign-in/email', {
    json: { email: user.email, password: NEW },
    headers: { origin: service.url },
  });
  const cookie = again.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  const changed = await service.client.call('POST', '//api/auth/change-password', {
    json: { currentPassword: NEW, newPassword: 'a third passphrase' },
    headers: { origin: service.url, cookie: cookie.join('; ') },
  });
  expect(changed.status).toBe(200);
  expect((await reset(third)).status).toBe(400);
});

test('a reset keeps or revokes the API key', async () => {
  const user = await service.newSession();
  await user.post('/user/api-key/generate');
  expect((await reset(await tokenFor(user.email))).body).toMatchObject({ apiKey: 'active' });
  expect((await reset(await tokenFor(user.email), { revokeApiKey: true })).body).toMatchObject({ apiKey: 'revoked' });
  expect(
    await service.db.query(`select actor from audit where user_id = $1 and action = 'key.revoke'`, [user.userId]),
  ).toEqual([{ actor: 'visitor' }]);
});

test('mails no link to a suspended user', async () => {
  const [suspended, other] = [await service.newSession(), await service.newSession()];
  await suspendUser(service.db, suspended.email);
  expect((await ask(suspended.email)).status).toBe(200);
  await expect
    .poll(() => service.db.query('select from auth.verification where value = $1', [suspended.userId]))
    .toHaveLength(1);
  await ask(other.email);
  await mailTo(other.email);
  expect(mail.mails.filter(({ to }) => to.includes(suspended.email))).toEqual([]);
});

describe('requests are limited', () => {
  test('to three per hour and account, known or not', async () => {
    const user = await service.newSession();
    for (const email of [user.email, 'nobody@example.org']) {
      const statuses = [];
      for (let count = 0; count < 4; count++) statuses.push((await ask(email)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    }
    expect((await ask(user.email, { cookie: user.cookie })).status).toBe(200);
    for (let count = 0; count < 4; count++) await mailTo(user.email);
  });

  test('to twenty per hour and address', async () => {
    const from = { 'x-forwarded-for': '198.51.100.20' };
    await service.db.execute(
      `insert into rate (key, moments, allowed, expires_at)
       values ('reset 198.51.100.20', array_fill(app_now(), array[19]), true, app_now() + interval '1 hour')`,
    );
    expect((await ask('one@example.org', from)).status).toBe(200);
    expect(await ask('two@example.org', from)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect((await ask('two@example.org')).status).toBe(200);
  });
});

test('a refused mail is logged without the address', async () => {
  const user = await service.newSession();
  mail.refuse(true);
  try {
    expect((await ask(user.email)).status).toBe(200);
    await expect
      .poll(() => service.logged.filter(({ part }) => part === 'mail' || part === 'sign-in'), { timeout: 20_000 })
      .not.toEqual([]);
  } finally {
    mail.refuse(false);
  }
  expect(JSON.stringify(service.logged)).not.toContain(user.email);
});

test('a reset without a mail server is refused', async () => {
  const silent = await startService();
  try {
    const response = await silent.client.call('POST', '//api/auth/request-password-reset', {
      json: { email: 'nobody@example.org' },
      headers: { origin: silent.url },
    });
    expect(response).toMatchObject({ status: 400, body: { success: false, code: 'reset_password_disabled' } });
    expect((await silent.client.get('/sign-in/options')).body.data.passwordReset).toBe('operator');
  } finally {
    await silent.close();
  }
});
