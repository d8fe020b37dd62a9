/** What a browser loads before a page can be used, and in which language. */
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connectAccounts, expect, type Page, test } from './fixtures.ts';
import { inHours, post } from './post-steps.ts';

/** In bytes, compressed with gzip. */
const MAX_FIRST_LOAD = 250_000;
const DIST = fileURLToPath(new URL('../../dist/app', import.meta.url));

/** Adds up the dashboard's files that the page requests. */
function watchFiles(page: Page): () => number {
  const sizes = new Map<string, number>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/app/')) return;
    const path = pathname.replace(/^\/app/, '');
    const file = DIST + (existsSync(DIST + path) && path !== '/' ? path : '/index.html');
    sizes.set(file, statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size);
  });
  return () => [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

function expectSmall(size: number, most = MAX_FIRST_LOAD): void {
  expect(size).toBeGreaterThan(100_000);
  expect(size).toBeLessThan(most);
}

/** The live updates keep the network busy. */
const untilIdle = (page: Page) => page.evaluate(() => new Promise((settled) => requestIdleCallback(settled)));

const menu = (page: Page) => page.getByRole('button', { name: 'User menu' });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

for (const [locale, signIn, compose] of [
  ['en-US', 'Sign in', 'New post'],
  ['de-DE', 'Anmelden', 'Neuer Beitrag'],
] as const)
  test.describe(`in ${locale}, at most 250 kB are loaded`, () => {
    test('for the sign-in page', async ({ open }) => {
      const page = await open({ locale });
      const size = watchFiles(page);
      await page.goto('/app/sign-in');
      await expect(page.getByRole('button', { name: signIn, exact: true })).toBeVisible();
      expectSmall(size());
    });

    test('for Compose with accounts', async ({ open, user }) => {
      await connectAccounts(user);
      const page = await open({ locale, user });
      const size = watchFiles(page);
      await page.goto('/app/');
      await expect(heading(page, compose)).toBeVisible();
      await expect(page.getByRole('checkbox', { name: /Mastodon/ })).toBeVisible();
      await untilIdle(page);
      expectSmall(size());
    });
  });

// German texts are longer than English ones. The calendar and the picture of the rules need a library each.
for (const [path, name, content, most] of [
  ['posts', 'Beiträge', 'First light', 300_000],
  ['calendar', 'Kalender', 'First light', 360_000],
  ['reposts', 'Reposts', 'Mastodon', 410_000],
  ['accounts', 'Konten', 'Mastodon', 300_000],
  ['settings', 'Einstellungen', 'API-Schlüssel', 300_000],
] as const)
  test(`/app/${path} loads at most ${most / 1_000} kB at first`, async ({ open, user, service }) => {
    await connectAccounts(user);
    await post(service, user, 'First light', ['mastodon'], { at: inHours(1) });
    const page = await open({ locale: 'de-DE', user });
    const size = watchFiles(page);
    await page.goto(`/app/${path}`);
    await expect(heading(page, name)).toBeVisible();
    await expect(page.getByRole('main').getByText(content).first()).toBeVisible();
    await untilIdle(page);
    expectSmall(size(), most);
  });

test('the sign is shown until there is a page', { tag: '@layout' }, async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/app/', { waitUntil: 'commit' });
  const sign = page.locator('.start', { hasText: 'Reelay' });
  await expect(sign).toBeVisible();
  held.resolve();
  await expect(heading(page, 'New post')).toBeVisible();
  await expect(sign).toBeHidden();
});

test('the first load has the chosen language only', async ({ page }) => {
  const catalogs: string[] = [];
  page.on('request', (request) => {
    const [, name] = /\/assets\/(en|de)-[^/]+\.js$/.exec(request.url()) ?? [];
    if (name) catalogs.push(name);
  });
  await page.goto('/app/');
  await expect(heading(page, 'New post')).toBeVisible();
  expect(catalogs).toEqual(['en']);
  await menu(page).press('Enter');
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect(heading(page, 'Neuer Beitrag')).toBeVisible();
  expect(catalogs).toEqual(['en', 'de']);

  await page.reload();
  await expect(heading(page, 'Neuer Beitrag')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  expect(catalogs).toEqual(['en', 'de', 'de']);
});

test('a change of the language holds while it is saved', async ({ page, user, service }) => {
  await service.db.execute(`update auth."user" set language = 'en' where id = $1`, [user.userId]);
  // When live updates begin, the page reads everything again.
  await page.route('**/api/v1/events', (route) => route.abort());
  await page.goto('/app/');
  await expect(heading(page, 'New post')).toBeVisible();
  const reads: string[] = [];
  page.on('request', (request) => request.method() === 'GET' && reads.push(new URL(request.url()).pathname));
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v1/user', async (route) => {
    await held.promise;
    await route.continue();
  });
  await menu(page).click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect(heading(page, 'Neuer Beitrag')).toBeVisible();
  await expect.poll(() => reads).toContain('/api/v1/platform/platforms');
  expect(reads).not.toContain('/api/v1/user');
  held.resolve();
  await expect.poll(async () => (await user.get('/user')).body.data.language).toBe('de');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
});

test('the user menu returns the focus to its button', { tag: '@layout' }, async ({ page }) => {
  await page.goto('/app/');
  for (const time of ['first', 'second']) {
    await menu(page).press('Enter');
    await expect(page.getByRole('menu').locator(':focus'), time).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(menu(page), time).toBeFocused();
  }
});
