import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { removeSecondFactor } from '../../src/users/second-factor.ts';
import { deleteUser, setPassword } from '../../src/users/service.ts';
import { createAuthenticator } from '../harness/authenticator.ts';
import { cookiesOf } from '../harness/cookies.ts';
import { type SessionUser, startService, type TestResponse, type TestService } from '../harness/service.ts';
import { type MailServer, startMailServer } from '../harness/smtp.ts';
import { totp } from '../harness/totp.ts';

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
const CHANGED = 'Your Reelay password was changed';

const post = (path: string, json: unknown, cookie = '') =>
  service.client.call('POST', `//api/auth${path}`, { json, headers: { origin: service.url, cookie } });

/** Adds a passkey of a new authenticator. */
async function addPasskey(user: SessionUser) {
  const key = createAuthenticator({ rpId: 'localhost', origin: service.url });
  const begun = await post('/passkey/generate-register-options', { password: user.password }, user.cookie);
  const cookie = `${user.cookie}; ${cookiesOf(begun)}`;
  expect((await post('/passkey/verify-registration', { response: key.register(begun.body) }, cookie)).status).toBe(200);
  return key;
}

/** Signs in with a passkey. */
async function signInWith(key: ReturnType<typeof createAuthenticator>) {
  const begun = await post('/passkey/generate-authenticate-options', {});
  return post('/passkey/verify-authentication', { response: key.assert(begun.body) }, cookiesOf(begun));
}

const contentsFor = (email: string, subject: string) =>
  mail.mails
    .filter(({ to, content }) => to.includes(email) && content.includes(`\nSubject: ${subject}`))
    .map(({ content }) => content.replaceAll('=\n', ''));

/** Waits for a mail with this subject, and returns it. */
async function mailTo({ email }: SessionUser, subject: string): Promise<string> {
  await expect.poll(() => contentsFor(email, subject), { timeout: 20_000 }).toHaveLength(1);
  return contentsFor(email, subject)[0] ?? '';
}

async function resetByMail(user: SessionUser, more: Record<string, unknown> = {}): Promise<TestResponse> {
  expect((await post('/request-password-reset', { email: user.email })).status).toBe(200);
  const token = /reset-password#(\S+)/.exec(await mailTo(user, 'Reset your Reelay password'))?.[1];
  mail.mails.length = 0;
  return post('/reset-password', { token, newPassword: NEW, ...more });
}

describe('passkeys', () => {
  test('end with a reset by mail, which names their number', async () => {
    const user = await service.newSession();
    const [key] = [await addPasskey(user), await addPasskey(user)];
    const before = await signInWith(key);
    expect(await resetByMail(user)).toMatchObject({
      status: 200,
      body: { apiKey: 'none', passkeys: 0, revokedPasskeys: 2 },
    });
    expect((await signInWith(key)).status).toBe(401);
    expect((await service.clientWith({ cookie: cookiesOf(before) }).get('/user')).status).toBe(401);
    expect(await mailTo(user, CHANGED)).toContain('Passkeys removed: 2. Passkeys that can still sign in: 0.');
    const removed = await service.db.query(`select actor from audit where user_id = $1 and action = 'passkey.remove'`, [
      user.userId,
    ]);
    expect(removed).toEqual([{ actor: 'visitor' }]);
  });

  test('survive a reset by mail on request', async () => {
    const user = await service.newSession();
    const key = await addPasskey(user);
    const { body } = await resetByMail(user, { keepPasskeys: true });
    expect(body).toMatchObject({ passkeys: 1, revokedPasskeys: 0 });
    expect((await signInWith(key)).status).toBe(200);
    expect(await mailTo(user, CHANGED)).toContain('Passkeys removed: 0. Passkeys that can still sign in: 1.');
  });

  test.each([
    [false, { passkeys: 1, revokedPasskeys: 0 }, 200],
    [true, { passkeys: 0, revokedPasskeys: 1 }, 401],
  ])('follow revokePasskeys %s on a password change', async (revokePasskeys, left, status) => {
    const user = await service.newSession();
    const key = await addPasskey(user);
    const json = { currentPassword: user.password, newPassword: NEW, revokePasskeys };
    const changed = await post('/change-password', json, user.cookie);
    expect(changed).toMatchObject({ status: 200, body: { apiKey: 'none', ...left } });
    expect((await service.clientWith({ cookie: cookiesOf(changed) }).get('/user')).status).toBe(200);
    expect((await signInWith(key)).status).toBe(status);
    expect(await mailTo(user, CHANGED)).toContain(`Passkeys that can still sign in: ${left.passkeys}.`);
  });

  test('end with a password that the operator sets', async () => {
    const user = await service.newSession();
    const key = await addPasskey(user);
    expect(await setPassword(service.db, user.email, { revokePasskeys: false })).toMatchObject({ passkeys: 1 });
    expect((await signInWith(key)).status).toBe(200);
    expect(await setPassword(service.db, user.email)).toMatchObject({ passkeys: 0, revokedPasskeys: 1 });
    expect((await signInWith(key)).status).toBe(401);
  });
});

describe('is mailed:', () => {
  test('an added passkey', async () => {
    const user = await service.newSession();
    await addPasskey(user);
    expect(await mailTo(user, 'A passkey was added to your Reelay account')).toContain('without the password');
  });

  test('a removed passkey', async () => {
    const user = await service.newSession();
    await addPasskey(user);
    const [passkey] = (await user.get('/user/passkeys')).body.data;
    const remove = (password: string) => post('/passkey/delete-passkey', { id: passkey.id, password }, user.cookie);
    expect((await remove('not the password')).status).toBe(400);
    expect((await remove(user.password)).status).toBe(200);
    await mailTo(user, 'A passkey was removed from your Reelay account');
  });

  test('a second factor that was turned on', async () => {
    const user = await service.newSession();
    const { totpURI } = (await post('/two-factor/enable', { password: user.password }, user.cookie)).body;
    expect((await post('/two-factor/verify-totp', { code: totp(totpURI) }, user.cookie)).status).toBe(200);
    await mailTo(user, 'Two-step verification of your Reelay account was turned on');
  });

  test('a used backup code mails nothing', async () => {
    const user = await service.newSession();
    const { totpURI, backupCodes } = (await post('/two-factor/enable', { password: user.password }, user.cookie)).body;
    await post('/two-factor/verify-totp', { code: totp(totpURI) }, user.cookie);
    const asked = await post('/sign-in/email', { email: user.email, password: user.password });
    const used = await post('/two-factor/verify-backup-code', { code: backupCodes[0] }, cookiesOf(asked));
    expect(used.status).toBe(200);
    const queued = await service.db.query('select name from security_mail where user_id = $1', [user.userId]);
    expect(queued).toEqual([{ name: 'second_factor_enabled' }]);
    await mailTo(user, 'Two-step verification of your Reelay account was turned on');
  });

  test('is queued in the transaction of the change', async () => {
    const user = await service.newSession();
    const change = service.db.transaction(async (tx) => {
      await tx.execute('update auth."user" set two_factor_enabled = true where id = $1', [user.userId]);
      throw new Error('The process ends.');
    });
    await expect(change).rejects.toThrow('The process ends.');
    const queued = () => service.db.query('select name from security_mail where user_id = $1', [user.userId]);
    expect(await queued()).toEqual([]);
    // No code of the service runs after the change.
    await service.db.execute('update auth."user" set two_factor_enabled = true where id = $1', [user.userId]);
    expect(await queued()).toEqual([{ name: 'second_factor_enabled' }]);
    await mailTo(user, 'Two-step verification of your Reelay account was turned on');
  });

  test('a second factor that was turned off', async () => {
    const user = await service.newSession();
    const { totpURI } = (await post('/two-factor/enable', { password: user.password }, user.cookie)).body;
    const on = await post('/two-factor/verify-totp', { code: totp(totpURI) }, user.cookie);
    expect((await post('/two-factor/disable', { password: 'not the password' }, cookiesOf(on))).status).toBe(400);
    expect((await post('/two-factor/disable', { password: user.password }, cookiesOf(on))).status).toBe(200);
    await mailTo(user, 'Two-step verification of your Reelay account was turned off');
  });

  test('new backup codes', async () => {
    const user = await service.newSession();
    const { totpURI } = (await post('/two-factor/enable', { password: user.password }, user.cookie)).body;
    const on = cookiesOf(await post('/two-factor/verify-totp', { code: totp(totpURI) }, user.cookie));
    const renewed = await post('/two-factor/generate-backup-codes', { password: user.password }, on);
    const text = await mailTo(user, 'New backup codes of your Reelay account were created');
    for (const code of renewed.body.backupCodes) expect(text).not.toContain(code);
  });

  test('a created API key, in the language of the user', async () => {
    const user = await service.newSession();
    await user.call('PATCH', '/user', { json: { language: 'de' } });
    const key = (await user.post('/user/api-key/generate')).body.data;
    const mails = () => mail.mails.filter(({ to }) => to.includes(user.email));
    await expect.poll(mails, { timeout: 20_000 }).toHaveLength(1);
    const { to, content } = mails()[0] ?? {};
    expect(to).toEqual([user.email]);
    expect(content).toContain('Er beginnt mit');
    expect(content).not.toContain(key);
  });

  test('a code of an authenticator app that is used again', async () => {
    const user = await service.newSession();
    const { totpURI } = (await post('/two-factor/enable', { password: user.password }, user.cookie)).body;
    const code = totp(totpURI);
    expect((await post('/two-factor/verify-totp', { code }, user.cookie)).status).toBe(200);
    const pending = cookiesOf(await post('/sign-in/email', { email: user.email, password: user.password }));
    expect((await post('/two-factor/verify-totp', { code }, pending)).status).toBe(401);
    expect(await mailTo(user, 'A sign-in code of your Reelay account was used twice')).toContain('was refused');
    const audited = await service.db.query('select action from audit where user_id = $1 and action = $2', [
      user.userId,
      'second-factor.reuse',
    ]);
    expect(audited).toHaveLength(1);
  });

  test('a password that the operator sets', async () => {
    const user = await service.newSession();
    await addPasskey(user);
    await setPassword(service.db, user.email);
    expect(await mailTo(user, CHANGED)).toContain('Passkeys removed: 1. Passkeys that can still sign in: 0.');
  });

  test('a second factor that the operator removes', async () => {
    const user = await service.newSession();
    const { totpURI } = (await post('/two-factor/enable', { password: user.password }, user.cookie)).body;
    await post('/two-factor/verify-totp', { code: totp(totpURI) }, user.cookie);
    expect(await removeSecondFactor(service.db, user.email)).toBe(true);
    await mailTo(user, 'Two-step verification of your Reelay account was turned off');
  });

  test('a user whom the operator deletes', async () => {
    const user = await service.newSession();
    await deleteUser(service.db, user.email);
    expect(await mailTo(user, 'Your Reelay account was deleted')).toContain(`The Reelay user ${user.email}`);
  });

  test('a change while the mail server fails, afterwards', async () => {
    const user = await service.newSession();
    mail.refuse(true);
    const json = { currentPassword: user.password, newPassword: NEW };
    expect((await post('/change-password', json, user.cookie)).status).toBe(200);
    const attempts = () => service.db.query('select attempts from security_mail where user_id = $1', [user.userId]);
    await expect.poll(attempts, { timeout: 20_000 }).toEqual([{ attempts: 1 }]);
    expect(mail.mails).toEqual([]);
    mail.refuse(false);
    await service.db.clock.advance(60_000);
    await mailTo(user, CHANGED);
  });
});
