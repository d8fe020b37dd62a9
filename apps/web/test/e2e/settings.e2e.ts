/** Settings that need the real service, the real storage of the browser, or a real authenticator app. */
import { totp } from '../../../../packages/server/test/harness/totp.ts';
import { expect, type Page, test } from './fixtures.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name });

async function confirmWith(page: Page, password: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
  await dialog.getByRole('button', { name: action }).click();
}

test('the time zone and the late-post rule are saved', async ({ page, user }) => {
  const stored = async () => {
    const { zone, late } = (await user.get('/user')).body.data;
    return { zone, late };
  };
  await page.goto('/app/settings');
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  await page.getByRole('radio', { name: 'Skip them' }).click();
  await expect.poll(stored).toEqual({ zone: 'Europe/Berlin', late: 'skip' });
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Europe/Berlin');
  await expect(page.getByRole('radio', { name: 'Skip them' })).toBeChecked();
});

test('a link leads to each section', async ({ page }) => {
  await page.goto('/app/settings');
  const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
  const headings = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect(links).toHaveText(await headings.allTextContents());
  await links.filter({ hasText: 'Passkeys' }).click();
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeInViewport();
  await expect(links.filter({ hasText: 'Passkeys' })).toHaveAttribute('aria-current', 'true');
});

test('an ended session is signed out', async ({ page, service, user }) => {
  const { headers } = await service.client.call('POST', '//api/auth/sign-in/email', {
    json: { email: user.email, password: user.password },
    headers: { origin: service.url },
  });
  const cookie = headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  const other = service.clientWith({ cookie: cookie.join('; ') });
  expect((await other.get('/user')).status).toBe(200);
  await page.goto('/app/settings');
  const sessions = region(page, 'Sessions').getByRole('article');
  await expect(sessions).toHaveCount(2);
  await sessions.getByRole('button', { name: 'End session' }).click();
  await expect(sessions).toHaveCount(1);
  await expect(sessions.getByText('This session')).toBeVisible();
  expect((await other.get('/user')).status).toBe(401);
  expect((await user.get('/user')).status).toBe(200);
});

test('an authenticator app is set up with its key', async ({ page, user }) => {
  await page.goto('/app/settings');
  const section = region(page, 'Two-step verification');
  await section.getByRole('button', { name: 'Set up' }).click();
  await confirmWith(page, user.password, 'Set up');
  const secret = await section.getByTestId('secret').textContent();
  await section.getByLabel('Code from the app').fill(totp(`otpauth://totp/x?secret=${secret}`));
  await section.getByRole('button', { name: 'Turn on' }).click();
  await expect(section.getByTestId('backup-codes').locator('code')).toHaveCount(10);
  // The browser has a new session since then.
  const response = await page.request.get('/api/v1/user/second-factor');
  expect((await response.json()).data).toEqual({ enabled: true, backupCodesLeft: 10 });
});

test('new backup codes replace the old ones', async ({ page, service, user }) => {
  // With the browser's cookies: it gets a new session.
  const auth = async (path: string, data: object) => {
    const headers = { origin: service.url };
    return (await page.request.post(`/api/auth/two-factor/${path}`, { data, headers })).json();
  };
  const { totpURI, backupCodes } = await auth('enable', { password: user.password });
  await auth('verify-totp', { code: totp(totpURI) });
  await page.goto('/app/settings');
  const section = region(page, 'Two-step verification');
  await section.getByRole('button', { name: 'New backup codes' }).click();
  await confirmWith(page, user.password, 'New backup codes');
  const codes = section.getByTestId('backup-codes').locator('code');
  await expect(codes).toHaveCount(10);
  const renewed = await codes.allTextContents();
  expect(new Set([...renewed, ...backupCodes]).size).toBe(20);
  await section.getByRole('button', { name: 'I have saved them' }).click();
  await expect(section.getByText('You have 10 backup codes left.')).toBeVisible();
});

test('deleting the account signs out and removes the draft', async ({ page, user }) => {
  const draft = `reelay-draft-${user.userId}`;
  const stored = () => page.evaluate((key) => localStorage.getItem(key), draft);
  await page.goto('/app/settings');
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await page.evaluate((key) => localStorage.setItem(key, '{}'), draft);
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await confirmWith(page, user.password, 'Delete my account');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await stored()).toBeNull();
  expect((await user.get('/user')).status).toBe(401);
});
