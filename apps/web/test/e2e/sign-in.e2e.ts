/** Signing in at the real service, also after a forgotten password and with a second factor. */
import { type MailServer, startMailServer } from '../../../../packages/server/test/harness/smtp.ts';
import { nextTotp, totp } from '../../../../packages/server/test/harness/totp.ts';
import { test as base, expect, type SessionUser, type TestService } from './fixtures.ts';
import { signIn } from './session-steps.ts';

/** A mail server, which the service of a test uses. */
const test = base.extend<object, { mail: MailServer }>({
  mail: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      await using mail = await startMailServer();
      await use(mail);
    },
    { scope: 'worker' },
  ],
});
test.use({ signedIn: false });

test('a wrong password is refused where it was typed', async ({ page, user }) => {
  await page.goto('/app/');
  await signIn(page, { ...user, password: 'not the password' });
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(user.email);
});

test('a sign-in leads to the page that was opened', async ({ page, user }) => {
  await page.goto('/app/accounts');
  await signIn(page, user);
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
});

test.describe('a forgotten password', () => {
  test.use({
    serviceConfig: async ({ mail }, use) =>
      use({ mail: { smtpUrl: mail.url, from: 'reelay@example.org', requireTls: false } }),
  });

  /** The path of the link that was mailed to the user; "" if none was. */
  const linkIn = ({ mails }: MailServer, { email }: SessionUser) =>
    /\/app\/reset-password#\S+/.exec(mails.find(({ to }) => to.includes(email))?.content ?? '')?.[0] ?? '';

  test('is replaced by a link that is mailed', async ({ page, user, mail }) => {
    await page.goto('/app/');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect(page.getByRole('heading', { name: 'New password' })).toBeVisible();
    await page.getByRole('textbox', { name: 'Email' }).fill(user.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByText(/an email with a link is on its way/)).toBeVisible();
    await expect.poll(() => linkIn(mail, user)).not.toBe('');
  });

  test('is replaced when the link is opened', async ({ page, user, service, mail }) => {
    await service.client.call('POST', '//api/auth/request-password-reset', {
      json: { email: user.email },
      headers: { origin: service.url },
    });
    await expect.poll(() => linkIn(mail, user)).not.toBe('');
    await page.goto(linkIn(mail, user));
    await page.getByRole('textbox', { name: 'New password' }).fill('another passphrase');
    await page.getByRole('button', { name: 'Set password' }).click();
    await expect(page.getByText(/Your password has been changed/)).toBeVisible();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, { ...user, password: 'another passphrase' });
    await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  });
});

test.describe('a second factor', () => {
  /** @returns the URI of the app, and the backup codes */
  async function enableFactor(user: SessionUser, { url }: TestService): Promise<{ uri: string; codes: string[] }> {
    const auth = (path: string, json: object) =>
      user.call('POST', `//api/auth/two-factor/${path}`, { json, headers: { origin: url } });
    const { body } = await auth('enable', { password: user.password });
    await auth('verify-totp', { code: totp(body.totpURI) });
    return { uri: body.totpURI, codes: body.backupCodes };
  }

  test('is asked for after the password', async ({ page, user, service }) => {
    const { uri } = await enableFactor(user, service);
    await page.goto('/app/');
    await signIn(page, user);
    await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
    await expect(page.getByLabel('Code')).toBeFocused();
    await page.getByLabel('Code').fill(nextTotp(uri));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  });

  test('is replaced by a backup code after a wrong code', async ({ page, user, service }) => {
    const { codes } = await enableFactor(user, service);
    await page.goto('/app/');
    await signIn(page, user);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByRole('button', { name: 'Use a backup code' }).click();
    await expect(page.getByLabel('Backup code')).toBeFocused();
    await page.getByLabel('Backup code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  });
});
