/** Going from page to page: titles, the focus, and the navigation on narrow screens. */
import { expect, type Page, test } from './fixtures.ts';

const focused = (page: Page) => page.locator(':focus');
const content = (page: Page) => page.locator('main#content :focus');

test('a link focuses the heading of its page', { tag: '@layout' }, async ({ page }) => {
  await page.goto('/app/');
  await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  await expect(page).toHaveTitle('New post · Reelay');
  for (const name of ['Posts', 'Calendar', 'Compose']) {
    await page.getByRole('link', { name, exact: true }).click();
    const heading = name === 'Compose' ? 'New post' : name;
    await expect(page.locator('h1:focus')).toHaveText(heading);
    await expect(page).toHaveTitle(`${heading} · Reelay`);
  }
});

test('another page does not read the frame again', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await page.goto('/app/');
  await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible();
  // If the stream was opened late, everything is read a second time.
  const isCurrent = await page.evaluate(() => window.early?.stream?.isCurrent() ?? false);
  await expect.poll(() => sent.filter((path) => path === '/api/v1/user').length).toBe(isCurrent ? 1 : 2);
  sent.length = 0;
  for (const name of ['Posts', 'Accounts', 'Posts']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  }
  expect(sent).toContain('/api/v1/dashboard/posts');
  const frame = ['/api/auth/get-session', '/api/v1/events', '/api/v1/user', '/api/v1/sign-in/options'];
  for (const path of [...frame, '/api/v1/dashboard/notifications/unread']) expect(sent).not.toContain(path);
});

test('a visit begins with the link to the content', async ({ page }) => {
  await page.goto('/app/posts');
  await expect(page.getByRole('heading', { name: 'Posts', exact: true })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(focused(page)).toHaveText('Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(content(page)).toBeVisible();
});

test('tabs of a page keep focus and name the document', async ({ open, operator }) => {
  const page = await open({ user: operator });
  await page.goto('/app/operator/users');
  await page.getByRole('link', { name: 'Queue', exact: true }).press('Enter');
  await expect(page).toHaveTitle('Queue · Operator · Reelay');
  await expect(page.getByText('Running').first()).toBeVisible();
  await expect(focused(page)).toHaveText('Queue');
});

test('the closed navigation of a phone cannot take the focus', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/app/');
  await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  await page.getByRole('button', { name: 'User menu' }).focus();
  await page.keyboard.press('Tab');
  await expect(content(page)).toBeVisible();

  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
  await menu.click();
  await expect(menu).toHaveAttribute('aria-expanded', 'true');
  await page.getByRole('button', { name: 'User menu' }).focus();
  await page.keyboard.press('Tab');
  await expect(focused(page)).toHaveText('Compose');
});

test('the daily pages are within reach of a thumb', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/app/posts/');
  const bar = page.getByRole('navigation', { name: 'Daily pages' });
  const links = bar.getByRole('link');
  await expect(links).toHaveText(['Compose', 'Posts', 'Calendar', 'Accounts', 'Reposts']);
  await expect(bar.getByRole('link', { name: 'Posts', exact: true })).toHaveAttribute('aria-current', 'page');
  for (const link of await links.all()) {
    const box = await link.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  await menu.click();
  await bar.getByRole('link', { name: 'Compose' }).click();
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  await expect(bar).toBeInViewport({ ratio: 1 });
});
