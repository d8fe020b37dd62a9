/** Targets on a phone are large enough for a thumb. */
import { connectAccounts, expect, type Page, test } from './fixtures.ts';
import { post } from './post-steps.ts';

const TARGETS = [
  ...['button', 'summary', 'select', 'nav a', '[role=tab]', '[role=radio]'],
  ...['input:not([type=radio], [type=checkbox])', 'label:has(+ input), label:has(input)', '.mantine-Radio-label'],
].join(', ');

/** Those that are shown and have a side below 44 px. */
const tooSmall = (page: Page) =>
  page.locator(TARGETS).evaluateAll((all) =>
    all.flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      const isShown = width > 1 && height > 1 && getComputedStyle(element).visibility === 'visible';
      const name = element.getAttribute('aria-label') ?? element.textContent;
      return isShown && (height < 43.5 || width < 43.5) ? [`${name}: ${width} × ${height}`] : [];
    }),
  );

test('every page can be used with a thumb', { tag: '@phone' }, async ({ page, user, service }) => {
  await connectAccounts(user);
  const id = await post(service, user, 'Good morning', ['mastodon', 'telegram']);
  for (const [path, heading] of [
    ['', 'New post'],
    ['posts', 'Posts'],
    [`posts/${id}`, 'Posted'],
    ['calendar', 'Calendar'],
    ['accounts', 'Accounts'],
    ['reposts', 'Reposts'],
    ['settings', 'Settings'],
  ] as const) {
    await page.goto(`/app/${path}`);
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
    if (path === '') await page.getByRole('button', { name: 'Select all' }).click();
    await expect.poll(() => tooSmall(page), { message: path }).toEqual([]);
  }
});
