import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { secretsFrom } from '../../src/config/secrets.ts';
import { removeSecondFactor, resealSecondFactors } from '../../src/users/second-factor.ts';
import { suspendUser } from '../../src/users/service.ts';
import { cookiesOf } from '../harness/cookies.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { nextTotp, totp } from '../harness/totp.ts';

const [former, current] = [randomBytes(32), randomBytes(32)];
let service: TestService;
beforeAll(async () => {
  service = await startService({ secretKey: former });
});
afterEach(async () => {
  await service.db.execute('delete from rate');
});
afterAll(() => service.close());

const post = (path: string, json: unknown, cookie = '') =>
  service.client.call('POST', `//api/auth${path}`, { json, headers: { origin: service.url, cookie } });
const signIn = (user: SessionUser, password = user.password) => post('/sign-in/email', { email: user.email, password });
const isSignedIn = async (cookie: string) => (await service.clientWith({ cookie }).get('/user')).status === 200;
const auditOf = async (user: SessionUser) =>
  (
    await service.db.query<{ entry: string }>(
      `select actor || ' ' || action as entry from audit where user_id = $1 order by at`,
      [user.userId],
    )
  ).map(({ entry }) => entry);
/** A code that is not valid now. */
const wrongFor = (uri: string) => (totp(uri) === '000000' ? '000001' : '000000');

/** A user with a second factor. `cookie` belongs to their session. */
async function enrolled() {
  const user = await service.newSession();
  const begun = await post('/two-factor/enable', { password: user.password }, user.cookie);
  expect(begun.status).toBe(200);
  const { totpURI, backupCodes } = begun.body as { totpURI: string; backupCodes: string[] };
  const confirmed = await post('/two-factor/verify-totp', { code: totp(totpURI) }, user.cookie);
  expect(confirmed.status).toBe(200);
  return { user, totpURI, backupCodes, cookie: cookiesOf(confirmed) };
}

/** Signs in with the password and returns the cookies of the incomplete sign-in. */
async function challenge(user: SessionUser): Promise<string> {
  const response = await signIn(user);
  expect(response).toMatchObject({ status: 403, body: { success: false, code: 'second_factor_required' } });
  return cookiesOf(response);
}

describe('enabling', () => {
  test('returns the secret and ten backup codes', async () => {
    const user = await service.newSession();
    const { body } = await post('/two-factor/enable', { password: user.password }, user.cookie);
    expect(body.totpURI).toMatch(/^otpauth:\/\/totp\/Reelay:/);
    expect(new Set(body.backupCodes).size).toBe(10);
    // Until a code was entered, sign-in does not require one.
    expect((await user.get('/user')).body.data.secondFactor).toBe(false);
    expect((await signIn(user)).body).toMatchObject({ redirect: false });
  });

  test('needs the password', async () => {
    const { user, cookie } = await enrolled();
    for (const path of ['/two-factor/enable', '/two-factor/disable', '/two-factor/generate-backup-codes'])
      expect(await post(path, { password: 'not the password' }, cookie)).toMatchObject({
        status: 400,
        body: { success: false, code: 'invalid_password' },
      });
    expect((await post('/two-factor/enable', { password: user.password })).status).toBe(401);
    expect((await auditOf(user)).filter((each) => each === 'session password.refuse')).toHaveLength(3);
    expect((await service.clientWith({ cookie }).get('/user')).body.data.secondFactor).toBe(true);
  });

  test('replaces the session and is audited', async () => {
    const { user, cookie } = await enrolled();
    expect(await isSignedIn(user.cookie)).toBe(false);
    expect(await isSignedIn(cookie)).toBe(true);
    expect((await service.clientWith({ cookie }).get('/user')).body.data.secondFactor).toBe(true);
    expect(await auditOf(user)).toEqual(['visitor session.begin', 'session second-factor.enable']);
  });

  test('rejects a wrong code', async () => {
    const user = await service.newSession();
    const { totpURI } = (await post('/two-factor/enable', { password: user.password }, user.cookie)).body;
    const response = await post('/two-factor/verify-totp', { code: wrongFor(totpURI) }, user.cookie);
    expect(response).toMatchObject({ status: 401, body: { code: 'invalid_code' } });
    expect((await user.get('/user')).body.data.secondFactor).toBe(false);
  });

  test('stores neither secret nor backup codes in clear', async () => {
    const { totpURI, backupCodes } = await enrolled();
    const rows = JSON.stringify(await service.db.query('select * from auth.two_factor'));
    expect(rows).not.toContain(new URL(totpURI).searchParams.get('secret'));
    for (const code of backupCodes) expect(rows).not.toContain(code);
  });
});

describe('sign-in', () => {
  test('needs the password and a code', async () => {
    const { user, totpURI } = await enrolled();
    const pending = await challenge(user);
    expect(pending).not.toContain('session_token');
    expect(pending).not.toContain('reelay.browser');
    expect(await isSignedIn(pending)).toBe(false);
    const done = await post('/two-factor/verify-totp', { code: nextTotp(totpURI) }, pending);
    expect(done).toMatchObject({ status: 200, body: { user: { email: user.email } } });
    expect(await isSignedIn(cookiesOf(done))).toBe(true);
    expect((await auditOf(user)).slice(2)).toEqual(['visitor session.begin']);
  });

  test('a challenge works once', async () => {
    const { user, totpURI } = await enrolled();
    const pending = await challenge(user);
    const responses = await Promise.all(
      [1, 2, 3].map(() => post('/two-factor/verify-totp', { code: nextTotp(totpURI) }, pending)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await post('/two-factor/verify-totp', { code: nextTotp(totpURI) }, pending)).status).toBe(401);
  });

  test('a code works once in all concurrent sign-ins', async () => {
    const { user, totpURI } = await enrolled();
    const pending = [await challenge(user), await challenge(user), await challenge(user)];
    const code = nextTotp(totpURI);
    const responses = await Promise.all(pending.map((cookie) => post('/two-factor/verify-totp', { code }, cookie)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    const again = await post('/two-factor/verify-totp', { code }, await challenge(user));
    expect(again).toMatchObject({ status: 401, body: { code: 'code_used' } });
    expect((await auditOf(user)).slice(2).toSorted()).toEqual([
      ...Array(3).fill('visitor second-factor.reuse'),
      'visitor session.begin',
      ...Array(3).fill('visitor session.refuse'),
    ]);
  });

  test('the code that enabled the second factor is used', async () => {
    const user = await service.newSession();
    const { totpURI } = (await post('/two-factor/enable', { password: user.password }, user.cookie)).body;
    const code = totp(totpURI);
    expect((await post('/two-factor/verify-totp', { code }, user.cookie)).status).toBe(200);
    expect((await post('/two-factor/verify-totp', { code }, await challenge(user))).status).toBe(401);
  });

  test('a code before a used one is refused', async () => {
    const { user, totpURI } = await enrolled();
    await service.db.execute('update auth.two_factor set last_step = null where user_id = $1', [user.userId]);
    const [earlier, later] = [totp(totpURI), nextTotp(totpURI)];
    const use = async (code: string) => (await post('/two-factor/verify-totp', { code }, await challenge(user))).status;
    expect([await use(later), await use(earlier)]).toEqual([200, 401]);
  });

  test('a code refused for another reason is not used', async () => {
    const { user, totpURI } = await enrolled();
    const pending = await challenge(user);
    await service.db.execute('delete from auth.verification where value = $1', [user.userId]);
    const code = nextTotp(totpURI);
    expect((await post('/two-factor/verify-totp', { code }, pending)).status).toBe(401);
    const locked = await challenge(user);
    const lockUntil = (moment: string) =>
      service.db.execute('update auth.two_factor set locked_until = $2 where user_id = $1', [user.userId, moment]);
    await lockUntil('2999-01-01');
    expect((await post('/two-factor/verify-totp', { code }, locked)).status).toBe(429);
    await lockUntil('2001-01-01');
    expect((await post('/two-factor/verify-totp', { code }, await challenge(user))).status).toBe(200);
  });

  test('a code without a challenge is rejected', async () => {
    const { totpURI } = await enrolled();
    for (const cookie of ['', 'reelay.two_factor=2fa-abcdefghijklmnopqrst.c2ln'])
      expect((await post('/two-factor/verify-totp', { code: nextTotp(totpURI) }, cookie)).status).toBe(401);
  });

  test('a challenge of another user is of no use', async () => {
    const [one, other] = [await enrolled(), await enrolled()];
    const pending = await challenge(one.user);
    expect((await post('/two-factor/verify-totp', { code: nextTotp(other.totpURI) }, pending)).status).toBe(401);
    expect((await post('/two-factor/verify-backup-code', { code: other.backupCodes[0] }, pending)).status).toBe(401);
  });

  test('a backup code works once', async () => {
    const { user, backupCodes } = await enrolled();
    const code = backupCodes[3];
    const done = await post('/two-factor/verify-backup-code', { code }, await challenge(user));
    expect(done.status).toBe(200);
    expect(await isSignedIn(cookiesOf(done))).toBe(true);
    expect((await post('/two-factor/verify-backup-code', { code }, await challenge(user))).status).toBe(401);
  });

  test('a challenge allows five wrong codes', async () => {
    const { user, totpURI } = await enrolled();
    const pending = await challenge(user);
    for (let count = 0; count < 5; count++)
      expect((await post('/two-factor/verify-totp', { code: wrongFor(totpURI) }, pending)).status).toBe(401);
    expect((await post('/two-factor/verify-totp', { code: nextTotp(totpURI) }, pending)).status).toBe(400);
    expect((await auditOf(user)).filter((each) => each === 'visitor session.refuse')).toHaveLength(6);
  });

  test('ten wrong codes lock the second factor for a while', async () => {
    const { user, totpURI } = await enrolled();
    for (let round = 0; round < 2; round++) {
      const pending = await challenge(user);
      for (let count = 0; count < 5; count++)
        await post('/two-factor/verify-totp', { code: wrongFor(totpURI) }, pending);
    }
    await service.db.execute('delete from rate');
    const locked = await post('/two-factor/verify-totp', { code: nextTotp(totpURI) }, await challenge(user));
    expect(locked).toMatchObject({
      status: 429,
      body: { code: 'account_temporarily_locked', retryAfter: expect.any(Number) },
    });
    const lockFor = (interval: string) =>
      service.db.execute('update auth.two_factor set locked_until = now() + $2::interval where user_id = $1', [
        user.userId,
        interval,
      ]);
    await lockFor('1 hour');
    const waiting = await post('/two-factor/verify-totp', { code: nextTotp(totpURI) }, await challenge(user));
    expect([waiting.body.retryAfter, waiting.headers.get('retry-after')]).toEqual([900, '900']);
    await lockFor('-1 second');
    expect((await post('/two-factor/verify-totp', { code: nextTotp(totpURI) }, await challenge(user))).status).toBe(
      200,
    );
  });

  test('wrong codes count against the limits of the account', async () => {
    const { user, totpURI } = await enrolled();
    const pending = await challenge(user);
    await service.db.execute('delete from rate');
    await post('/two-factor/verify-totp', { code: wrongFor(totpURI) }, pending);
    const counted = await service.db.query(
      `select split_part(key, ' ', 1) as kind, cardinality(moments) as count from rate order by key`,
    );
    expect(counted).toEqual([
      { kind: 'account', count: 1 },
      { kind: 'sign-in', count: 1 },
    ]);
  });

  test('suspended users cannot complete it', async () => {
    const { user, totpURI } = await enrolled();
    const pending = await challenge(user);
    await suspendUser(service.db, user.email);
    expect(await post('/two-factor/verify-totp', { code: nextTotp(totpURI) }, pending)).toMatchObject({
      status: 403,
      body: { code: 'account_suspended' },
    });
  });

  test('an unknown device cannot be trusted', async () => {
    const { user, totpURI } = await enrolled();
    const json = { code: nextTotp(totpURI), trustDevice: true };
    expect(await post('/two-factor/verify-totp', json, await challenge(user))).toMatchObject({
      status: 400,
      body: { code: 'unknown_field' },
    });
  });
});

test('a second factor is disabled with the password', async () => {
  const { user, cookie } = await enrolled();
  const off = await post('/two-factor/disable', { password: user.password }, cookie);
  expect(off.status).toBe(200);
  expect(await isSignedIn(cookiesOf(off))).toBe(true);
  expect((await signIn(user)).body).toMatchObject({ redirect: false });
  expect(await auditOf(user)).toContain('session second-factor.disable');
});

test('the number of remaining backup codes is shown', async () => {
  const { user, backupCodes, cookie } = await enrolled();
  const left = async () => (await service.clientWith({ cookie }).get('/user/second-factor')).body.data;
  expect(await left()).toEqual({ enabled: true, backupCodesLeft: 10 });
  await post('/two-factor/verify-backup-code', { code: backupCodes[0] }, await challenge(user));
  expect(await left()).toEqual({ enabled: true, backupCodesLeft: 9 });
  await service.db.execute(`update auth.two_factor set backup_codes = 'lost' where user_id = $1`, [user.userId]);
  expect(await left()).toEqual({ enabled: true, backupCodesLeft: null });
  await removeSecondFactor(service.db, user.email);
  const other = await service.newSession();
  expect((await other.get('/user/second-factor')).body.data).toEqual({ enabled: false, backupCodesLeft: null });
});

test('new backup codes replace the old ones', async () => {
  const { user, backupCodes, cookie } = await enrolled();
  const renewed = await post('/two-factor/generate-backup-codes', { password: user.password }, cookie);
  expect(renewed.body.backupCodes).toHaveLength(10);
  const old = await post('/two-factor/verify-backup-code', { code: backupCodes[0] }, await challenge(user));
  expect(old.status).toBe(401);
  const code = renewed.body.backupCodes[0];
  expect((await post('/two-factor/verify-backup-code', { code }, await challenge(user))).status).toBe(200);
});

test('the operator removes a second factor', async () => {
  const { user, totpURI } = await enrolled();
  const pending = await challenge(user);
  expect(await removeSecondFactor(service.db, user.email)).toBe(true);
  expect((await post('/two-factor/verify-totp', { code: nextTotp(totpURI) }, pending)).status).toBe(401);
  expect((await signIn(user)).body).toMatchObject({ redirect: false });
  expect(await auditOf(user)).toContain('command line second-factor.disable');
  expect(await removeSecondFactor(service.db, user.email)).toBe(false);
});

test.each([-5, 5])('a code of %i minutes from now is refused', async (minutes) => {
  const { user, totpURI } = await enrolled();
  await service.db.execute('update auth.two_factor set last_step = null where user_id = $1', [user.userId]);
  const code = totp(totpURI, Date.now() + minutes * 60_000);
  expect((await post('/two-factor/verify-totp', { code }, await challenge(user))).status).toBe(401);
});

test('second factors survive a rotation of SECRET_KEY', async () => {
  const { user, totpURI, backupCodes } = await enrolled();
  const rotated = secretsFrom(current, [former]);
  expect(await resealSecondFactors(service.db, secretsFrom(former))).toMatchObject({ renewed: 0, lost: 0 });
  expect(await resealSecondFactors(service.db, secretsFrom(randomBytes(32)))).toMatchObject({ renewed: 0 });
  const { renewed } = await resealSecondFactors(service.db, rotated);
  expect(renewed).toBeGreaterThan(0);
  expect(await resealSecondFactors(service.db, rotated)).toMatchObject({ renewed: 0, lost: 0 });
  // Rotated back, for the service that runs with the previous key.
  const withBoth = await resealSecondFactors(service.db, secretsFrom(former, [current]));
  expect(withBoth).toEqual({ what: 'second factors', renewed, lost: 0 });
  expect((await post('/two-factor/verify-totp', { code: nextTotp(totpURI) }, await challenge(user))).status).toBe(200);
  const code = backupCodes[0];
  expect((await post('/two-factor/verify-backup-code', { code }, await challenge(user))).status).toBe(200);
});
