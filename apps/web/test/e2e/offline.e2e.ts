/** What the page does without a connection, and when a part of it cannot be loaded. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DESKTOP, type E2eWorld, openWithAccounts, SCREENS, seriousProblems, shoot, startE2eWorld } from './browser.ts';

let world: E2eWorld;
beforeAll(async () => {
  world = await startE2eWorld();
});
afterEach(() => world.closePages());
afterAll(() => world.close());

/** Opens Compose, and waits until nothing of it is loading: what does not arrive would fail when the page goes offline. */
async function openCompose(screen: Parameters<typeof openWithAccounts>[1]): Promise<Page> {
  const page = await openWithAccounts(world, screen, '/');
  await page.getByRole('checkbox', { name: /Mastodon/ }).waitFor();
  return page;
}

const alertOf = (page: Page) => page.getByRole('alert');
const retry = (page: Page) => page.getByRole('button', { name: 'Try again' });

test('a page that was not visited yet says that it is offline', async () => {
  const page = await openCompose(DESKTOP);
  await page.getByLabel('Description').fill('Typed before');
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Reposts', exact: true }).press('Enter');
  await alertOf(page).getByText('No connection').waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.context().setOffline(false);
  await retry(page).click();
  await page.getByRole('heading', { name: 'Reposts', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Compose', exact: true }).click();
  expect(await page.getByLabel('Description').inputValue()).toBe('Typed before');
  expect(world.problems).toEqual([]);
});

test('an action that failed offline is not done later', async () => {
  const page = await openWithAccounts(world, DESKTOP, '/accounts');
  await page
    .getByRole('article', { name: /^Mastodon:/ })
    .getByRole('button', { name: 'Details' })
    .click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  const dialog = page.getByRole('dialog', { name: /^Disconnect/ });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method())) sent.push(request.method());
  });
  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await dialog.getByRole('alert').getByText('No connection').waitFor();
  await dialog.getByRole('button', { name: 'Keep' }).click();
  expect(sent).toEqual(['DELETE']);
  const isRead = page.waitForResponse((response) => response.url().endsWith('/platform/platforms') && response.ok());
  await page.context().setOffline(false);
  await isRead;
  expect(sent).toEqual(['DELETE']);
  await page.getByText('12 connected accounts').waitFor();
  expect(world.problems).toEqual([]);
});

test('a failed sign-out says so', async () => {
  const page = await openCompose(DESKTOP);
  const signOut = page.getByRole('menuitem', { name: 'Sign out' });
  await page.getByRole('button', { name: 'User menu' }).click();
  await signOut.waitFor();
  await page.context().setOffline(true);
  await signOut.click();
  const dialog = page.getByRole('dialog', { name: 'Sign out' });
  await dialog.getByRole('alert').getByText('No connection').waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.context().setOffline(false);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'User menu' }).click();
  await signOut.click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(world.problems).toEqual([]);
});

describe.each(SCREENS)('on a %s, a part that cannot be loaded', (name, screen) => {
  const chunk = /\/later-field-[^/]*\.js/;

  test('says so in its place, and is loaded later', async () => {
    const page = await openCompose(screen);
    await page.getByLabel('Description').fill('Typed before');
    await page.context().setOffline(true);
    await page.getByRole('radio', { name: 'Later' }).check();
    await alertOf(page).getByText('No connection').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Typed before');
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `part-failed-${name}`);
    await page.context().setOffline(false);
    await retry(page).click();
    await page.getByRole('group', { name: 'Suggested times' }).waitFor();
    expect(await alertOf(page).count()).toBe(0);
    expect(await page.getByLabel('Description').inputValue()).toBe('Typed before');
    expect(world.problems).toEqual([]);
  });

  test.each([
    ['User menu', (page: Page) => page.getByRole('menuitem', { name: 'Sign out' })],
    ['Notifications', (page: Page) => page.getByRole('dialog', { name: 'Notifications' })],
  ])('above the page says so there: %s', async (button, opened) => {
    const page = await openCompose(screen);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: button, exact: true }).click();
    await alertOf(page).getByText('No connection').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.context().setOffline(false);
    await retry(page).click();
    await opened(page).waitFor();
    expect(world.problems).toEqual([]);
  });

  test('although the service responds offers to reload', async () => {
    const page = await openCompose(screen);
    await page.getByLabel('Description').fill('Typed before');
    await page.route(chunk, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('radio', { name: 'Later' }).check();
    await alertOf(page).getByText('This part could not be loaded').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.unroute(chunk);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('group', { name: 'Suggested times' }).waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Typed before');
    expect(world.problems).toEqual([]);
  });
});
