/** Targets on a phone are large enough for a thumb. `accessibility.e2e.ts` checks more pages, and the dialogs. */
import { accountCard } from './compose-steps.ts';
import { type FilledUser, test } from './filled-user.ts';
import { expect, type Page } from './fixtures.ts';
import { expectLargeTargets, smallTargets } from './touch-targets.ts';

test.describe('every page can be used with a thumb', { tag: '@phone' }, () => {
  for (const [path, heading] of [
    ['', 'New post'],
    ['posts', 'Posts'],
    ['posts/POSTED', 'Posted'],
    ['calendar', 'Calendar'],
    ['accounts', 'Accounts'],
    ['reposts', 'Reposts'],
    ['settings', 'Settings'],
  ] as const)
    test(`/app/${path}`, async ({ open, filled }) => {
      const page = await open({ user: filled.user });
      await page.goto(`/app/${path.replace('POSTED', filled.posts.posted)}`);
      await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
      if (path === '') await page.getByRole('button', { name: 'Select all' }).click();
      await expectLargeTargets(page, path);
    });
});

interface Opened {
  name: string;
  at: string | ((filled: FilledUser) => string);
  by?: 'operator';
  open(page: Page): Promise<void>;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** What fields and buttons open. */
const OPENED: Opened[] = [
  {
    name: 'calendar of a date',
    at: '/app/',
    async open(page) {
      await page.getByRole('radio', { name: 'Later' }).check();
      await button(page, 'Date').click();
      await expect(button(page, 'Next month')).toBeVisible();
    },
  },
  {
    name: 'calendar of a filter',
    at: '/app/posts?from=2026-11-02',
    async open(page) {
      await button(page, /^From/).first().click();
      await expect(button(page, 'Next month')).toBeVisible();
    },
  },
  {
    name: 'list of a field',
    at: '/app/posts?status=PENDING',
    async open(page) {
      await page.getByRole('combobox', { name: 'Status' }).click();
      await expect(page.getByRole('option', { name: 'Failed' })).toBeVisible();
    },
  },
  {
    name: 'words of a filter',
    at: ({ rule }) => `/app/reposts?view=table&rule=${rule}`,
    async open(page) {
      await page.getByRole('tab', { name: 'Options' }).click();
      const words = page.getByLabel('Only with one of these words').first();
      await words.fill('sea');
      await words.press('Enter');
      await expect(page.getByText('sea', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'menu of a group',
    at: '/app/',
    async open(page) {
      for (const platform of ['Bluesky', 'Mastodon']) await accountCard(page, platform).check();
      await button(page, 'Save as group').click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Open networks');
      await button(page, /^Save$/).click();
      await button(page, 'Menu of the group Open networks').click();
      await expect(page.getByRole('menuitem', { name: 'Rename group' })).toBeVisible();
    },
  },
  {
    name: 'menu of a user',
    at: '/app/operator/users',
    by: 'operator',
    async open(page) {
      await button(page, /^Actions/)
        .first()
        .click();
      await expect(page.getByRole('menuitem', { name: 'Change plan' })).toBeVisible();
    },
  },
  {
    name: 'address of a chat',
    at: '/app/settings',
    async open(page) {
      await button(page, 'Add an address').click();
      await page.getByRole('dialog').getByText('Telegram', { exact: true }).click();
      await expect(page.getByLabel('Chat ID')).toBeVisible();
    },
  },
  {
    name: 'video of a post',
    at: ({ posts }) => `/app/posts/${posts.posted}`,
    async open(page) {
      await button(page, 'Play video').first().click();
      await expect(page.getByRole('dialog', { name: 'Video' })).toBeVisible();
    },
  },
];

test.describe('what a page opens can be used with a thumb', { tag: '@phone' }, () => {
  for (const { name, at, by, open: reach } of OPENED)
    test(name, async ({ open, filled, operator }) => {
      const page = await open({ user: by ? operator : filled.user });
      await page.goto(typeof at === 'string' ? at : at(filled));
      await reach(page);
      await expectLargeTargets(page, name);
    });
});

test('the check finds small targets', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/app/posts');
  await expect(page.getByRole('heading', { name: 'Posts', exact: true })).toBeVisible();
  await page.evaluate(() => {
    const planted = `<button style="height: 40px; width: 60px">Low</button>
      <label><input type="checkbox"> Row</label>
      <p>Not <a href="/">a link in a sentence</a>.</p>`;
    document.querySelector('main')?.insertAdjacentHTML('afterbegin', planted);
  });
  expect(await smallTargets(page)).toEqual([
    expect.stringMatching(/^Low: 6\d × 4[01]$/),
    expect.stringContaining('checkbox'),
  ]);
});
