/** What a browser loads before a page can be used, and in which language. */
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DESKTOP, type E2eWorld, SCREENS, seriousProblems, startE2eWorld } from './browser.ts';

/** In bytes, compressed with gzip. */
const MAX_FIRST_LOAD = 250_000;
const DIST = fileURLToPath(new URL('../../dist/app', import.meta.url));

let world: E2eWorld;
beforeAll(async () => {
  world = await startE2eWorld();
  // Without a user, the sign-in page creates the first one.
  await world.service.newSession();
});
afterEach(() => world.closePages());
afterAll(() => world.close());

/** Counts the dashboard's files that the page requests. */
function watchFiles(page: Page): () => number {
  const sizes = new Map<string, number>();
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname.replace(/^\/app/, '');
    const file = DIST + (existsSync(DIST + path) && path !== '/' ? path : '/index.html');
    if (new URL(request.url()).pathname.startsWith('/app/'))
      sizes.set(file, statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size);
  });
  return () => [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

describe.each([
  ['en-US', 'Sign in', 'New post'],
  ['de-DE', 'Anmelden', 'Neuer Beitrag'],
])('in %s, the first load stays below 250 kB', (locale, signIn, compose) => {
  test('of the sign-in page', async () => {
    const page = await world.open({ ...DESKTOP, locale });
    const size = watchFiles(page);
    await page.goto(`${world.service.url}/app/sign-in`);
    await page.getByRole('button', { name: signIn }).waitFor();
    expect(size()).toBeGreaterThan(100_000);
    expect(size()).toBeLessThan(MAX_FIRST_LOAD);
  });

  test('of Compose with accounts', async () => {
    const user = await world.service.newSession();
    const first = await world.open({ ...DESKTOP, user });
    await first.goto(`${world.service.url}/app/accounts`);
    await first.getByRole('button', { name: 'Connect twelve simulated accounts' }).click();
    await first.getByText('12 connected accounts').waitFor();

    const page = await world.open({ ...DESKTOP, locale, user });
    const size = watchFiles(page);
    await page.goto(`${world.service.url}/app/`);
    await page.getByRole('heading', { name: compose }).waitFor();
    await page.getByRole('checkbox', { name: /Mastodon/ }).waitFor();
    // The live updates keep the network busy.
    await page.evaluate(() => new Promise((settled) => requestIdleCallback(settled)));
    expect(size()).toBeGreaterThan(100_000);
    expect(size()).toBeLessThan(MAX_FIRST_LOAD);
  });
});

describe.each(SCREENS)('on a %s', (_name, screen) => {
  test('the sign is shown until there is a page', async () => {
    const page = await world.open({ ...screen, user: true });
    const held = Promise.withResolvers<void>();
    await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${world.service.url}/app/`, { waitUntil: 'commit' });
    const sign = page.locator('.start', { hasText: 'Reelay' });
    await sign.waitFor();
    held.resolve();
    await page.getByRole('heading', { name: 'New post' }).waitFor();
    expect(await sign.isVisible()).toBe(false);
    expect(world.problems).toEqual([]);
  });

  test('the menu switches the language, and the next visit begins with it', async () => {
    const page = await world.open({ ...screen, user: true });
    const catalogs: string[] = [];
    page.on('request', (request) => {
      const [, name] = /\/assets\/(en|de)-[^/]+\.js$/.exec(request.url()) ?? [];
      if (name) catalogs.push(name);
    });
    await page.goto(`${world.service.url}/app/`);
    await page.getByRole('heading', { name: 'New post' }).waitFor();
    expect(catalogs).toEqual(['en']);
    await page.getByRole('button', { name: 'User menu' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Neuer Beitrag' }).waitFor();
    expect(catalogs).toEqual(['en', 'de']);

    await page.reload();
    await page.getByRole('heading', { name: 'Neuer Beitrag' }).waitFor();
    expect(catalogs).toEqual(['en', 'de', 'de']);
    expect(await page.getAttribute('html', 'lang')).toBe('de');
    expect(world.problems).toEqual([]);
  });

  test('a change of the language holds while it is saved', async () => {
    const user = await world.service.newSession();
    await world.service.db.execute(`update auth."user" set language = 'en' where id = $1`, [user.userId]);
    const page = await world.open({ ...screen, user });
    // When live updates begin, the page reads everything again.
    await page.route('**/api/v1/events', (route) => route.abort());
    await page.goto(`${world.service.url}/app/`);
    await page.getByRole('heading', { name: 'New post' }).waitFor();
    const reads: string[] = [];
    page.on('request', (request) => request.method() === 'GET' && reads.push(new URL(request.url()).pathname));
    const held = Promise.withResolvers<void>();
    await page.route('**/api/v1/user', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Neuer Beitrag' }).waitFor();
    await expect.poll(() => reads).toContain('/api/v1/platform/platforms');
    expect(reads).not.toContain('/api/v1/user');
    held.resolve();
    await expect.poll(async () => (await user.get('/user')).body.data.language).toBe('de');
    expect(await page.getAttribute('html', 'lang')).toBe('de');
    expect(world.problems).toEqual([]);
  });

  test('the user menu returns the focus to its button', async () => {
    const page = await world.open({ ...screen, user: true });
    await page.goto(`${world.service.url}/app/`);
    const button = page.getByRole('button', { name: 'User menu' });
    for (const _time of ['first', 'second']) {
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      await page.waitForFunction(() => document.activeElement?.closest('[role=menu]'));
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    await button.click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    expect(world.problems).toEqual([]);
  });
});
