import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '../../../../packages/server/src/ids.ts';
import { insertRule } from '../../../../packages/server/src/reposts/store.ts';
import { type AccountRow, addAccount } from '../../../../packages/server/test/harness/rows.ts';
import type { SessionUser } from '../../../../packages/server/test/harness/service.ts';
import { type E2eWorld, SCREENS, seriousProblems, startE2eWorld } from './browser.ts';

/** Whether nothing covers the middle of an element, and it is on the screen. */
const isUncovered = (element: Locator) =>
  element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    const shown = document.elementFromPoint(x + width / 2, y + height / 2);
    return shown !== null && (node.contains(shown) || shown.contains(node));
  });

const PLATFORMS = ['facebook', 'linkedin', 'mastodon', 'telegram', 'bluesky'];

describe.each(SCREENS)('on a %s', (_name, screen) => {
  let world: E2eWorld;
  let user: SessionUser;
  const accounts: AccountRow[] = [];
  beforeAll(async () => {
    world = await startE2eWorld();
    user = await world.service.newSession();
    const { db } = world.service;
    for (let at = 0; at < 60; at++) {
      const platform = PLATFORMS[at % PLATFORMS.length] ?? '';
      accounts.push(await addAccount(db, user.userId, { platform, username: `channel-${at}` }));
    }
    // Each reposts to the next ones, so that there are no loops.
    for (const [at, { id: from }] of accounts.slice(0, 50).entries()) {
      const to = accounts.slice(at + 1, at + 3).map(({ id }) => id);
      await insertRule(db, { id: uuidv7(), userId: user.userId, from, to });
    }
  });
  afterEach(() => world.closePages());
  afterAll(() => world.close());

  test('accounts are found and chosen, also those that the search hides', async () => {
    const page = await world.open({ ...screen, user });
    await page.goto(`${world.service.url}/app/`);
    await page.getByText('0 of 60 selected').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(60);
    const search = page.getByRole('searchbox', { name: 'Find an account' });
    await search.fill('mastodon CHANNEL-12');
    await page.getByRole('checkbox').click();
    await search.fill('channel-5');
    expect(await page.getByRole('checkbox').count()).toBe(11);
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.getByText('12 of 60 selected').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Select none' }).click();
    await page.getByText('1 of 60 selected').waitFor();
    await search.fill('nobody');
    await page.getByText('No account matches.').waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    expect(await page.getByRole('checkbox').count()).toBe(60);
    expect(world.problems).toEqual([]);
  });

  test('the button stays on the screen, and covers no focus', async () => {
    const page = await world.open({ ...screen, user });
    await page.goto(`${world.service.url}/app/`);
    const button = page.getByRole('button', { name: /^Post to/ });
    for (const at of [2, 40]) {
      const account = page.getByRole('checkbox').nth(at);
      // Focusing scrolls to it.
      await account.focus();
      await page.keyboard.press('Space');
      expect(await isUncovered(account)).toBe(true);
      expect(await isUncovered(button)).toBe(true);
    }
    expect(world.problems).toEqual([]);
  });

  test('a rule is found by its accounts', async () => {
    const page = await world.open({ ...screen, user });
    await page.goto(`${world.service.url}/app/reposts?view=table`);
    const open = page.getByRole('button', { name: /^Open the rule from/ });
    await open.first().waitFor();
    expect(await open.count()).toBe(50);
    await page.getByRole('searchbox', { name: 'Find a rule by account' }).fill('channel-33');
    // As a source, and twice as a destination.
    expect(await open.count()).toBe(3);
    expect(await seriousProblems(page)).toEqual([]);
    await open.first().click();
    await page.getByRole('dialog').getByText('This rule has not seen any posts yet.').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('the picture shows all accounts and arrows', async () => {
    const page = await world.open({ ...screen, user });
    await page.goto(`${world.service.url}/app/reposts?view=picture`);
    await expect.poll(() => page.locator('.react-flow__node').count()).toBe(60);
    await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(100);
    expect(await seriousProblems(page)).toEqual([]);
    expect(world.problems).toEqual([]);
  });
});
