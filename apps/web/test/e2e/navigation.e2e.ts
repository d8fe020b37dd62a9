/** Going from page to page: titles, the focus, and the navigation on narrow screens. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SessionUser } from '../../../../packages/server/test/harness/service.ts';
import { DESKTOP, type E2eWorld, PHONE, SCREENS, seriousProblems, startE2eWorld } from './browser.ts';

let world: E2eWorld;
let operator: SessionUser;
beforeAll(async () => {
  world = await startE2eWorld();
  // The first user.
  operator = await world.service.newSession();
});
afterEach(() => world.closePages());
afterAll(() => world.close());

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describe.each(SCREENS)('on a %s', (_name, screen) => {
  test('a link moves the focus to the heading of its page', async () => {
    const page = await world.open({ ...screen, user: true });
    await page.goto(`${world.service.url}/app/`);
    await page.getByRole('heading', { name: 'New post' }).waitFor();
    expect(await page.title()).toBe('New post · Reelay');
    for (const name of ['Posts', 'Calendar', 'Compose']) {
      if (screen === PHONE) await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await page.getByRole('link', { name, exact: true }).click();
      const heading = name === 'Compose' ? 'New post' : name;
      await expect.poll(() => page.locator('h1:focus').textContent()).toBe(heading);
      expect(await page.title()).toBe(`${heading} · Reelay`);
    }
    expect(world.problems).toEqual([]);
  });
});

test('a visit begins with the link to the content', async () => {
  const page = await world.open({ ...DESKTOP, user: true });
  await page.goto(`${world.service.url}/app/posts`);
  await page.getByRole('heading', { name: 'Posts', exact: true }).waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('content');
});

test('tabs of a page keep the focus and name the document', async () => {
  const page = await world.open({ ...DESKTOP, user: operator });
  await page.goto(`${world.service.url}/app/operator/users`);
  await page.getByRole('link', { name: 'Queue', exact: true }).press('Enter');
  await expect.poll(() => page.title()).toBe('Queue · Operator · Reelay');
  await page.getByText('Running').first().waitFor();
  expect(await focused(page)).toBe('Queue');
  expect(world.problems).toEqual([]);
});

describe('on a phone', () => {
  test('the closed navigation cannot take the focus', async () => {
    const page = await world.open({ ...PHONE, user: true });
    await page.goto(`${world.service.url}/app/`);
    await page.getByRole('heading', { name: 'New post' }).waitFor();
    await page.getByRole('button', { name: 'User menu' }).focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('content');

    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
    await menu.click();
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('button', { name: 'User menu' }).focus();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Compose');
    expect(await seriousProblems(page)).toEqual([]);
    expect(world.problems).toEqual([]);
  });
});
