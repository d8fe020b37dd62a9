import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SessionUser } from '../../../../packages/server/test/harness/service.ts';
import { DESKTOP, type E2eWorld, SCREENS, seriousProblems, shoot, startE2eWorld } from './browser.ts';

let world: E2eWorld;
beforeAll(async () => {
  world = await startE2eWorld({ rateLimit: 'off' });
});
afterEach(() => world.closePages());
afterAll(() => world.close());

/** Gives the page's browser an authenticator. @returns switches the verification of its user */
async function addAuthenticator(page: Page) {
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
  return (isUserVerified: boolean) =>
    devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }).then(() => {});
}

const region = (page: Page) => page.getByRole('region', { name: 'Passkeys' });
const confirmWith = async (page: Page, password: string, action: string) => {
  await page.getByRole('dialog').getByLabel('Password').first().fill(password);
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
};

async function openSettings(screen: object): Promise<{ page: Page; user: SessionUser }> {
  const user = await world.service.newSession();
  const page = await world.open({ ...screen, user });
  return { page, user };
}

describe.each(SCREENS)('on a %s', (name, screen) => {
  test('a passkey is added, signs in, is renamed and removed', async () => {
    const { page, user } = await openSettings(screen);
    await addAuthenticator(page);
    await page.goto(`${world.service.url}/app/settings`);
    await region(page).getByRole('button', { name: 'Add a passkey' }).click();
    await confirmWith(page, 'not the password', 'Add a passkey');
    await page.getByText('The password is wrong.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `passkey-add-${name}`);
    await confirmWith(page, user.password, 'Add a passkey');
    const passkeys = region(page).getByRole('article');
    await passkeys.getByText('never used').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `passkey-sign-in-${name}`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'New post' }).waitFor();

    await page.goto(`${world.service.url}/app/settings`);
    await passkeys.getByText('last used').waitFor();
    await passkeys.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('My test phone');
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await passkeys.getByText('My test phone').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `passkey-list-${name}`);

    // The device refuses a second passkey for the same user.
    await region(page).getByRole('button', { name: 'Add another passkey' }).click();
    await confirmWith(page, user.password, 'Add a passkey');
    await page.getByText('This device already has a passkey').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await passkeys.getByRole('button', { name: 'Remove' }).click();
    await confirmWith(page, user.password, 'Remove');
    await expect.poll(() => passkeys.count()).toBe(0);
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('The passkey was not accepted.').waitFor();
    expect(world.problems).toEqual([]);
  });
});

test('a refused prompt is explained, and can be opened again', async () => {
  const { page, user } = await openSettings(DESKTOP);
  const setVerified = await addAuthenticator(page);
  await setVerified(false);
  await page.goto(`${world.service.url}/app/settings`);
  await region(page).getByRole('button', { name: 'Add a passkey' }).click();
  await confirmWith(page, user.password, 'Add a passkey');
  await page.getByText('The passkey prompt was closed or timed out.').waitFor();
  await setVerified(true);
  await confirmWith(page, user.password, 'Add a passkey');
  await region(page).getByRole('article').waitFor();
  expect(world.problems).toEqual([]);
});

test('a browser without passkeys offers none', async () => {
  const { page } = await openSettings(DESKTOP);
  await page.context().addInitScript('delete window.PublicKeyCredential');
  await page.goto(`${world.service.url}/app/settings`);
  await region(page).getByText('This browser does not support passkeys.').waitFor();
  expect(await region(page).getByRole('button').count()).toBe(0);
  await page.context().clearCookies();
  await page.goto(`${world.service.url}/app/sign-in`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
});

test('a page at an address names the host of the passkeys', async () => {
  const { port } = new URL(world.service.url);
  const user = await world.service.newSession();
  const url = `http://127.0.0.1:${port}`;
  const page = await world.open({ ...DESKTOP, user, url });
  await page.goto(`${url}/app/settings`);
  const link = region(page).getByRole('link', { name: `http://localhost:${port}` });
  expect(await link.getAttribute('href')).toBe(`http://localhost:${port}/app/settings`);
  expect(await region(page).getByRole('button').count()).toBe(0);
});
