/** Passkeys in a real browser with a virtual authenticator. */
import { expect, type Page, type SessionUser, test } from './fixtures.ts';

/** Gives the page's browser an authenticator. @returns switches the verification of its user */
async function addAuthenticator(page: Page): Promise<(isUserVerified: boolean) => Promise<void>> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async (isUserVerified) => {
    await devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  };
}

const region = (page: Page) => page.getByRole('region', { name: 'Passkeys' });
const passkeys = (page: Page) => region(page).getByRole('article');

/** Asks for a passkey in the settings. */
async function askForPasskey(page: Page, { password }: SessionUser): Promise<void> {
  await page.goto('/app/settings');
  await region(page)
    .getByRole('button', { name: /^Add a/ })
    .click();
  await confirmPassword(page, password);
}

async function confirmPassword(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
}

async function addPasskey(page: Page, user: SessionUser): Promise<void> {
  await askForPasskey(page, user);
  await expect(passkeys(page).getByText('never used')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
}

async function signOutAndUsePasskey(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/app/sign-in');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
}

test('an added passkey signs in', async ({ page, user }) => {
  await addAuthenticator(page);
  await addPasskey(page, user);
  await signOutAndUsePasskey(page);
  await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  await page.goto('/app/settings');
  await expect(passkeys(page).getByText('last used')).toBeVisible();
});

test('a removed passkey does not sign in', async ({ page, user, service }) => {
  await addAuthenticator(page);
  await addPasskey(page, user);
  const [{ id }] = (await user.get('/user/passkeys')).body.data;
  const removed = await user.call('POST', '//api/auth/passkey/delete-passkey', {
    json: { id, password: user.password },
    headers: { origin: service.url },
  });
  expect(removed.status).toBe(200);
  await signOutAndUsePasskey(page);
  await expect(page.getByText('The passkey was not accepted.')).toBeVisible();
});

test('a device refuses a second passkey of a user', async ({ page, user }) => {
  await addAuthenticator(page);
  await addPasskey(page, user);
  await askForPasskey(page, user);
  await expect(page.getByText('This device already has a passkey')).toBeVisible();
});

test('a refused prompt is explained, and can be opened again', async ({ page, user }) => {
  const setVerified = await addAuthenticator(page);
  await setVerified(false);
  await askForPasskey(page, user);
  await expect(page.getByText('The passkey prompt was closed or timed out.')).toBeVisible();
  await setVerified(true);
  await confirmPassword(page, user.password);
  await expect(passkeys(page)).toHaveCount(1);
});

test('a refused prompt of a sign-in can be opened again', async ({ page, user }) => {
  const setVerified = await addAuthenticator(page);
  await addPasskey(page, user);
  await setVerified(false);
  await signOutAndUsePasskey(page);
  await expect(page.getByText('The passkey prompt was closed or timed out.')).toBeVisible();
  await setVerified(true);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
});

test('a page at an address offers no passkeys', async ({ open, user, service }) => {
  const { port } = new URL(service.url);
  const page = await open({ user, url: `http://127.0.0.1:${port}` });
  await page.goto('/app/settings');
  const link = region(page).getByRole('link', { name: `http://localhost:${port}` });
  await expect(link).toHaveAttribute('href', `http://localhost:${port}/app/settings`);
});
