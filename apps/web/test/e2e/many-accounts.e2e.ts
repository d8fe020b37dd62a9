/** Pages of a user with sixty accounts, and with rules between them. */

import type { Locator } from '@playwright/test';
import { uuidv7 } from '../../../../packages/server/src/lib/ids.ts';
import { insertRule } from '../../../../packages/server/src/reposts/rule-store.ts';
import { type AccountRow, addAccount } from '../../../../packages/server/test/harness/rows.ts';
import { expect, type SessionUser, type TestService, test } from './fixtures.ts';

const ACCOUNTS = 60;
const RULES = 50;
const PLATFORMS = ['facebook', 'linkedin', 'mastodon', 'telegram', 'bluesky'] as const;

/** Cards to go through. They are more than a screen shows. */
const TABS = 30;

/** Whether nothing covers the middle of an element, and it is on the screen. */
const isUncovered = (element: Locator) =>
  element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    const shown = document.elementFromPoint(x + width / 2, y + height / 2);
    return shown !== null && (node.contains(shown) || shown.contains(node));
  });

/** Adds the accounts channel-0 to channel-59. */
async function addAccounts({ db }: TestService, { userId }: SessionUser): Promise<AccountRow[]> {
  const accounts: AccountRow[] = [];
  for (let at = 0; at < ACCOUNTS; at++) {
    const platform = PLATFORMS[at % PLATFORMS.length] ?? PLATFORMS[0];
    accounts.push(await addAccount(db, userId, { platform, username: `channel-${at}` }));
  }
  return accounts;
}

/** Adds rules. Each reposts to the next two accounts, so that there are no loops. */
async function addRules(service: TestService, user: SessionUser): Promise<void> {
  const accounts = await addAccounts(service, user);
  for (const [at, { id: from }] of accounts.slice(0, RULES).entries()) {
    const to = accounts.slice(at + 1, at + 3).map(({ id }) => id);
    await insertRule(service.db, { id: uuidv7(), userId: user.userId, from, to });
  }
}

test('a found account stays chosen when the search ends', async ({ page, service, user }) => {
  await addAccounts(service, user);
  await page.goto('/app/');
  await page.getByRole('searchbox', { name: 'Find an account' }).fill('mastodon CHANNEL-12');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect(page.getByRole('checkbox')).toHaveCount(ACCOUNTS);
  await expect(page.getByRole('checkbox', { checked: true })).toHaveAccessibleName(/channel-12\b/);
  await expect(page.getByText('1 of 60 selected')).toBeVisible();
});

test('the button does not cover the focus', { tag: '@layout' }, async ({ page, service, user }) => {
  await addAccounts(service, user);
  await page.goto('/app/');
  const cards = page.getByRole('checkbox');
  await cards.first().focus();
  for (let at = 1; at <= TABS; at++) {
    await page.keyboard.press('Tab');
    await expect(cards.nth(at)).toBeFocused();
    await expect.poll(() => isUncovered(cards.nth(at))).toBe(true);
  }
});

test('the button stays on the screen', { tag: '@layout' }, async ({ page, service, user }) => {
  await addAccounts(service, user);
  await page.goto('/app/');
  const button = page.getByRole('button', { name: /^Post/ });
  for (const at of [2, 40]) {
    // Focusing scrolls to it.
    await page.getByRole('checkbox').nth(at).focus();
    await expect(button).toBeInViewport({ ratio: 1 });
    await expect.poll(() => isUncovered(button)).toBe(true);
  }
});

test('a rule is found by its accounts', async ({ page, service, user }) => {
  await addRules(service, user);
  await page.goto('/app/reposts?view=table');
  const open = page.getByRole('button', { name: /^Open the rule from/ });
  await expect(open).toHaveCount(RULES);
  await page.getByRole('searchbox', { name: 'Find a rule by account' }).fill('channel-33');
  // As a source, and twice as a destination.
  await expect(open).toHaveCount(3);
  await open.first().click();
  await expect(page.getByRole('dialog').getByText('This rule has not seen any posts yet.')).toBeVisible();
});

test('the picture shows all accounts and arrows', async ({ page, service, user }) => {
  await addRules(service, user);
  await page.goto('/app/reposts?view=picture');
  await expect(page.locator('.react-flow__node')).toHaveCount(ACCOUNTS);
  await expect(page.locator('.react-flow__edge')).toHaveCount(2 * RULES);
});

test.describe('the picture of many accounts', () => {
  test('shows the rules of a pressed account', async ({ page, service, user }) => {
    const ids: string[] = [];
    for (const username of ['source', 'middle', 'end', 'beside'])
      ids.push((await addAccount(service.db, user.userId, { platform: 'mastodon', username })).id);
    for (const [at, from] of ids.slice(0, 2).entries())
      await insertRule(service.db, { id: uuidv7(), userId: user.userId, from, to: ids.slice(at + 1, at + 2) });
    await page.goto('/app/reposts?view=picture');
    const dimmed = page.locator('[data-role="dimmed"]');
    const node = (name: string) => page.locator('.react-flow__node', { hasText: `Name of ${name}` });
    await node('end').hover();
    await expect(dimmed).toHaveText(/beside/);
    await node('beside').hover();
    await expect(dimmed).toHaveCount(0);
    await node('middle').click();
    const rules = page.getByRole('region', { name: 'Rules of Mastodon: Name of middle' });
    await expect(rules.getByRole('button', { name: 'To Mastodon: Name of end' })).toBeVisible();
    await expect(dimmed).toHaveText(/beside/);
    await rules.getByRole('button', { name: 'From Mastodon: Name of source' }).click();
    await expect(page.getByRole('dialog', { name: 'Rule' })).toBeVisible();
    await page.keyboard.press('Escape');
    await rules.getByRole('button', { name: 'Close' }).click();
    await expect(rules).toHaveCount(0);
    await expect(dimmed).toHaveCount(0);
  });

  test('can leave out accounts without rules', async ({ page, service, user }) => {
    await addRules(service, user);
    await page.goto('/app/reposts?view=picture');
    await expect(page.locator('.react-flow__node')).toHaveCount(ACCOUNTS);
    await page.getByRole('switch', { name: 'Only accounts with rules' }).check();
    await expect(page.locator('.react-flow__node')).toHaveCount(RULES + 2);
  });

  test('is not covered by its tools', async ({ page, service, user }) => {
    await addRules(service, user);
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/app/reposts?view=picture');
      const nodes = page.locator('.react-flow__node');
      await expect(nodes).toHaveCount(ACCOUNTS);
      await expect
        .poll(() =>
          nodes.evaluateAll((all) => {
            const covers = [...document.querySelectorAll('.react-flow__panel')].map((each) =>
              each.getBoundingClientRect(),
            );
            return all.filter((node) => {
              const { left, right, top, bottom } = node.getBoundingClientRect();
              return covers.some((c) => c.left < right && c.right > left && c.top < bottom && c.bottom > top);
            }).length;
          }),
        )
        .toBe(0);
    }
  });
});
