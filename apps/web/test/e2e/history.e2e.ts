/** The history of posts: its list, and filters whose state is in the address. */
import { addHistory } from '../../../../packages/server/test/post/world.ts';
import { connectAccounts, expect, type Page, type SessionUser, type TestService, test } from './fixtures.ts';
import { holdResponse } from './hold-response.ts';
import { accountRow, inHours, post } from './post-steps.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 2, 10, 12);

test.beforeEach(({ user }) => connectAccounts(user));

/** Adds posts, one each hour back from noon on March 10: "Entry 0", "Entry 1" … */
async function addEntries(service: TestService, user: SessionUser, count: number): Promise<void> {
  const account = await accountRow(service, user, 'mastodon');
  const entries = Array.from({ length: count }, (_, at) => ({ at: NOON - at * HOUR_MS, description: `Entry ${at}` }));
  await addHistory(service.db, user.userId, account, entries);
}

const entry = (page: Page, number: number) => page.getByText(`Entry ${number}`, { exact: true });
const words = (page: Page) => page.getByLabel('Description contains');
const noMatch = (page: Page) => page.getByText('No post matches these filters.');
const parameter = (page: Page, name: string) => () => new URL(page.url()).searchParams.get(name);

test('a long history renders only what is near', { tag: '@layout' }, async ({ page, service, user }) => {
  await addEntries(service, user, 95);
  await page.goto('/app/posts');
  await expect(entry(page, 0)).toBeVisible();
  await expect(async () => {
    await page.mouse.wheel(0, 4_000);
    await expect(entry(page, 94)).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(page.getByText('95 posts', { exact: true })).toBeAttached();
  await expect(entry(page, 0)).toHaveCount(0);
  await expect.poll(() => page.getByRole('listitem').count()).toBeLessThan(60);
});

test('a filter is kept in the address', async ({ page, service, user }) => {
  await addEntries(service, user, 20);
  await page.goto('/app/posts');
  await words(page).fill('entry 1');
  await expect(page.getByText('11 posts', { exact: true })).toBeVisible();
  await expect.poll(parameter(page, 'text')).toBe('entry 1');
  await page.reload();
  await expect(page.getByText('11 posts', { exact: true })).toBeVisible();
  await expect(words(page)).toHaveValue('entry 1');
});

test('filters without a match can be reset', async ({ page, service, user }) => {
  await addEntries(service, user, 1);
  await page.goto('/app/posts?text=entry');
  await expect(entry(page, 0)).toBeVisible();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await expect(noMatch(page)).toBeVisible();
  await page.getByRole('button', { name: 'Reset filters' }).last().click();
  await expect(entry(page, 0)).toBeVisible();
  await expect(words(page)).toHaveValue('');
});

test('a day is chosen with the keyboard, and cleared', { tag: '@layout' }, async ({ page, service, user }) => {
  await addEntries(service, user, 20);
  await page.goto('/app/posts?from=2026-03-12');
  const from = page.getByRole('button', { name: /^From/ });
  await from.press('Enter');
  await expect(page.getByRole('button', { name: '12 March 2026' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page.getByText('13 posts', { exact: true })).toBeVisible();
  await expect(from).toBeFocused();
  await expect(from).toHaveText('Mar 10, 2026');
  await expect.poll(parameter(page, 'from')).toBe('2026-03-10');
  await page.getByRole('button', { name: 'Clear “From”' }).click();
  await expect(page.getByText('20 posts', { exact: true })).toBeVisible();
  await expect(from).toBeFocused();
});

test('a filter keeps the focus while its result is read', async ({ page, service, user }) => {
  await addEntries(service, user, 1);
  await page.goto('/app/posts?text=zebra');
  await expect(noMatch(page)).toBeVisible();
  const isReleased = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  await page.route('**/dashboard/posts?*', async (route) => {
    isAsked.resolve();
    await isReleased.promise;
    await route.continue();
  });
  await words(page).fill('');
  await isAsked.promise;
  await expect(page).toHaveURL((url) => !url.searchParams.has('text'));
  await expect(page.getByText('Nothing has been posted yet.')).toBeHidden();
  await expect(words(page)).toBeFocused();
  isReleased.resolve();
  await expect(entry(page, 0)).toBeVisible();
  await expect(words(page)).toBeFocused();
});

test('a post made while a filter is read is shown', async ({ page, service, user }) => {
  await addEntries(service, user, 1);
  const connected = page.waitForResponse('**/api/v1/events');
  await page.goto('/app/posts');
  await expect(entry(page, 0)).toBeVisible();
  await connected;
  const other = await page.context().newPage();
  await other.goto('/app/posts');
  await expect(entry(other, 0)).toBeVisible();
  const held = await holdResponse(page, /\/dashboard\/posts\?.*zebra/);
  await words(page).fill('zebra');
  await held.isRead;
  await post(service, user, 'A zebra', ['mastodon'], { at: inHours(48) });
  // The event has reached the tabs.
  await expect(other.getByText('A zebra')).toBeVisible();
  held.release();
  await expect(page.getByText('A zebra')).toBeVisible();
});

test('a reset also discards what was just typed', async ({ page, service, user }) => {
  await addEntries(service, user, 1);
  await page.clock.install();
  await page.goto('/app/posts?status=FAILED');
  await expect(noMatch(page)).toBeVisible();
  // What is typed is written to the address after a moment, which does not pass before the reset.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await words(page).fill('zebra');
  await page.getByRole('button', { name: 'Reset filters' }).first().click();
  await page.clock.runFor(1_000);
  await page.clock.resume();
  await expect(entry(page, 0)).toBeVisible();
  await expect(words(page)).toHaveValue('');
  await expect(page).toHaveURL((url) => url.search === '');
});
