import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstSteps } from '../../src/users/first-user.ts';
import { cookiesOf } from '../harness/cookies.ts';
import { startService, type TestResponse, type TestService } from '../harness/service.ts';
import { nextTotp, totp } from '../harness/totp.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const post = (path: string, json: unknown, cookie = '') =>
  service.client.call('POST', `//api/auth${path}`, { json, headers: { origin: service.url, cookie } });
/** The `Set-Cookie` of the session. */
const sessionOf = ({ headers }: TestResponse) =>
  headers.getSetCookie().find((each) => each.includes('reelay.session_token=')) ?? '';
const FOR_THE_BROWSER = /^reelay\.session_token=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/;

test.each([undefined, true])('a session with rememberMe %s outlasts the browser', async (rememberMe) => {
  const { email, password } = await service.newSession();
  const signedIn = await post('/sign-in/email', { email, password, rememberMe });
  expect([signedIn.status, sessionOf(signedIn)]).toEqual([200, expect.stringContaining('; Max-Age=2592000;')]);
});

describe('a session without rememberMe', () => {
  const begin = async () => {
    const { email, password } = await service.newSession();
    const signedIn = await post('/sign-in/email', { email, password, rememberMe: false });
    expect(signedIn.status).toBe(200);
    return { email, password, signedIn, cookie: cookiesOf(signedIn) };
  };

  test('ends with the browser', async () => {
    const { signedIn, cookie } = await begin();
    expect(sessionOf(signedIn)).toMatch(FOR_THE_BROWSER);
    expect((await service.clientWith({ cookie }).get('/user')).status).toBe(200);
  });

  test('still ends with the browser after a new password', async () => {
    const { password, cookie } = await begin();
    const json = { currentPassword: password, newPassword: `${password} 2` };
    const changed = await post('/change-password', json, cookie);
    expect([changed.status, sessionOf(changed)]).toEqual([200, expect.stringMatching(FOR_THE_BROWSER)]);
  });

  test('is forgotten by signing out', async () => {
    const { email, password, cookie } = await begin();
    const out = await post('/sign-out', {}, cookie);
    const cleared = out.headers.getSetCookie().find((each) => each.startsWith('reelay.dont_remember='));
    expect([out.status, cleared]).toEqual([200, expect.stringContaining('Max-Age=0')]);
    expect(sessionOf(await post('/sign-in/email', { email, password }))).toContain('Max-Age=2592000');
  });

  test('ends with the browser after a second factor too', async () => {
    const user = await service.newSession();
    const { totpURI } = (await post('/two-factor/enable', { password: user.password }, user.cookie)).body;
    expect((await post('/two-factor/verify-totp', { code: totp(totpURI) }, user.cookie)).status).toBe(200);
    const asked = await post('/sign-in/email', { email: user.email, password: user.password, rememberMe: false });
    expect(asked.body.code).toBe('second_factor_required');
    const signedIn = await post('/two-factor/verify-totp', { code: nextTotp(totpURI) }, cookiesOf(asked));
    expect([signedIn.status, sessionOf(signedIn)]).toEqual([200, expect.stringMatching(FOR_THE_BROWSER)]);
  });
});

test('rememberMe must be true or false', async () => {
  const { email, password } = await service.newSession();
  const { status, body } = await post('/sign-in/email', { email, password, rememberMe: 'no' });
  expect([status, body.code]).toEqual([400, 'invalid_request']);
});

test('sibling domains cannot set the cookie over https', async () => {
  const publicUrl = 'https://reelay.example';
  const other = await startService({ config: { publicUrl, httpsOnly: true } });
  try {
    const { db, config, secrets } = other.context;
    const token = /sign-in#(\S+)/.exec((await firstSteps(db, config, secrets)).join('\n'))?.[1] ?? '';
    const headers = { origin: publicUrl, 'x-forwarded-proto': 'https' };
    await other.signUp('a@example.org', { ...headers, 'x-reelay-sign-up-token': token });
    const json = { email: 'a@example.org', password: 'correct horse battery', rememberMe: false };
    const signedIn = await other.client.call('POST', '//api/auth/sign-in/email', { json, headers });
    expect(signedIn.status).toBe(200);
    const names = signedIn.headers.getSetCookie().map((each) => each.split('=', 1)[0]);
    expect(names.sort()).toEqual([
      '__Host-reelay.browser',
      '__Host-reelay.dont_remember',
      '__Host-reelay.session_token',
    ]);
    for (const each of signedIn.headers.getSetCookie()) expect(each).toMatch(/; Path=\/;(?=.*; Secure)/);
  } finally {
    await other.close();
  }
});
