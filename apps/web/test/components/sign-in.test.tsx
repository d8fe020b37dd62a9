/** Signing in, the second step, and replacing a forgotten password. */
import type { SignInOptions } from '@reelay/sdk';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ResetPage } from '../../src/pages/sign-in/reset-page.tsx';
import { SignInPage } from '../../src/pages/sign-in/sign-in-page.tsx';
import { type GivenCalls, refusal } from './fake-client.ts';
import { pageAt } from './page-route.tsx';
import { render } from './render.tsx';

afterEach(() => void vi.unstubAllGlobals());

const NORA = { id: 'nora', email: 'nora@example.org', name: 'Nora' };
const OPTIONS: SignInOptions = {
  passkeyHost: 'localhost',
  passwordReset: 'mail',
  sandbox: true,
  signUp: 'open',
  userExists: true,
};

interface Given {
  options?: Partial<SignInOptions>;
  address?: string;
  calls?: GivenCalls['session'];
}

function showSignIn({ options = {}, address = '/sign-in', calls = {} }: Given = {}) {
  const page = pageAt({ Page: SignInPage, path: '/sign-in', address });
  const session = { options: async () => ({ ...OPTIONS, ...options }), ...calls };
  return { ...page, ...render(page.element, { session }) };
}

const email = () => screen.findByLabelText(/^Email/);
const password = () => screen.findByLabelText(/^Password/);
const isFocused = (field: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(field));

describe('the sign-in', () => {
  test('leads to the page that was asked for', async () => {
    const signIn = vi.fn(async () => NORA);
    const { user, href } = showSignIn({ address: '/sign-in?to=%2Fposts', calls: { signIn } });
    await user.type(await email(), 'nora@example.org');
    await user.type(await password(), 'secret{Enter}');
    await waitFor(() => expect(href()).toBe('/posts'));
    expect(signIn.mock.calls).toEqual([[{ email: 'nora@example.org', password: 'secret' }]]);
  });

  test('keeps what was typed when it is refused', async () => {
    const signIn = () => Promise.reject(refusal('invalid_credentials', 'Wrong.', 401));
    const { user } = showSignIn({ calls: { signIn } });
    await user.type(await email(), 'nora@example.org');
    await user.type(await password(), 'wrong{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('Wrong.');
    expect(await email()).toHaveProperty('value', 'nora@example.org');
  });

  test('says that the session has ended', async () => {
    showSignIn({ address: '/sign-in?ended=true' });
    expect((await screen.findByRole('status')).textContent).toContain('Your session has ended.');
  });

  test('of a new service creates the operator', async () => {
    const signUp = vi.fn(async () => NORA);
    const { user } = showSignIn({
      options: { userExists: false, signUp: 'token' },
      address: '/sign-in#t0ken',
      calls: { signUp },
    });
    expect(await screen.findByRole('heading', { name: 'Welcome to Reelay' })).toBeTruthy();
    expect(screen.getByLabelText(/^Token/)).toHaveProperty('value', 't0ken');
    await user.type(await email(), 'nora@example.org');
    await user.type(await password(), 'a long password');
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    const request = { email: 'nora@example.org', password: 'a long password', token: 't0ken' };
    await waitFor(() => expect(signUp.mock.calls).toEqual([[request]]));
  });

  test.each([
    ['open', true],
    ['closed', false],
  ] as const)('offers an account with the sign-up %s: %s', async (signUp, isOffered) => {
    showSignIn({ options: { signUp } });
    await email();
    expect(screen.queryByRole('button', { name: 'Create an account' }) !== null).toBe(isOffered);
  });

  test('says how a forgotten password is replaced by mail', async () => {
    showSignIn();
    const link = await screen.findByRole('link', { name: 'Forgot your password?' });
    expect(link.getAttribute('href')).toBe('/reset-password');
  });

  test('says how a forgotten password is replaced by the operator', async () => {
    showSignIn({ options: { passwordReset: 'operator' } });
    expect(await screen.findByText(/Ask the operator of this service/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Forgot your password?' })).toBeNull();
  });

  test.each([
    ['with passkeys', true, 'localhost', true],
    ['without passkeys', false, 'localhost', false],
    ['at another address', true, 'reelay.example', false],
  ])('offers a passkey if the browser is %s', async (_, isSupported, passkeyHost, isOffered) => {
    if (isSupported) vi.stubGlobal('PublicKeyCredential', class {});
    showSignIn({ options: { passkeyHost } });
    await email();
    expect(screen.queryByRole('button', { name: 'Use a passkey' }) !== null).toBe(isOffered);
  });
});

describe('the second step', () => {
  /** Signs in as a user with a second factor, up to the code. */
  async function showCode(calls: GivenCalls['session'] = {}) {
    const signIn = () => Promise.reject(refusal('second_factor_required', 'A code is needed.', 401));
    const rendered = showSignIn({ calls: { signIn, ...calls } });
    await rendered.user.type(await email(), 'nora@example.org');
    await rendered.user.type(await password(), 'secret{Enter}');
    return { ...rendered, code: await screen.findByLabelText(/^Code/) };
  }

  test('asks for the code of the app', async () => {
    const enterCode = vi.fn(async () => NORA);
    const { user, code, href } = await showCode({ enterCode });
    expect(screen.queryByRole('alert')).toBeNull();
    await isFocused(code);
    await user.keyboard(' 123456 {Enter}');
    await waitFor(() => expect(href()).toBe('/'));
    expect(enterCode.mock.calls).toEqual([['123456']]);
  });

  test('accepts a backup code instead', async () => {
    const enterBackupCode = vi.fn(async () => NORA);
    const { user, code, href } = await showCode({ enterBackupCode });
    await user.type(code, '12');
    await user.click(screen.getByRole('button', { name: 'Use a backup code' }));
    const backup = await screen.findByLabelText(/^Backup code/);
    await isFocused(backup);
    expect(backup).toHaveProperty('value', '');
    await user.type(backup, 'aaaa-1111{Enter}');
    await waitFor(() => expect(href()).toBe('/'));
    expect(enterBackupCode.mock.calls).toEqual([['aaaa-1111']]);
  });

  test('explains a wrong code', async () => {
    const { user, code, href } = await showCode({
      enterCode: () => Promise.reject(refusal('invalid_code', 'Wrong code.')),
    });
    await user.type(code, '000000{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('Wrong code.');
    expect(href()).toBe('/sign-in');
  });

  test('leads back to the password', async () => {
    const { user } = await showCode();
    await user.click(screen.getByRole('button', { name: 'Start again' }));
    await isFocused(await password());
    expect(await password()).toHaveProperty('value', '');
    expect(await email()).toHaveProperty('value', 'nora@example.org');
  });
});

describe('a forgotten password', () => {
  const showReset = (session: GivenCalls['session'], address = '/reset-password') => {
    const page = pageAt({ Page: ResetPage, path: '/reset-password', address });
    return render(page.element, { session });
  };

  test('is replaced with a requested link', async () => {
    const requestPasswordReset = vi.fn(async () => {});
    const { user } = showReset({ requestPasswordReset });
    await user.type(await email(), 'nora@example.org{Enter}');
    expect((await screen.findByRole('status')).textContent).toBe(
      'If nora@example.org belongs to an account, an email with a link is on its way.',
    );
    expect(requestPasswordReset.mock.calls).toEqual([['nora@example.org']]);
  });

  test('is replaced on the page of the link', async () => {
    const resetPassword = vi.fn(async () => ({ apiKey: 'none' as const, passkeys: 0, revokedPasskeys: 2 }));
    const { user } = showReset({ resetPassword }, '/reset-password#t0ken');
    await user.type(await screen.findByLabelText(/^New password/), 'another passphrase{Enter}');
    const done = (await screen.findByRole('status')).textContent;
    expect(done).toContain('Your password has been changed');
    expect(done).toContain('Your 2 passkeys were removed.');
    expect(resetPassword.mock.calls).toEqual([[{ token: 't0ken', newPassword: 'another passphrase' }]]);
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/sign-in');
  });

  test('stays if the link has expired', async () => {
    const resetPassword = () => Promise.reject(refusal('invalid_token', 'This link has expired.'));
    const { user } = showReset({ resetPassword }, '/reset-password#t0ken');
    await user.type(await screen.findByLabelText(/^New password/), 'another passphrase{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('This link has expired.');
  });
});
