/** How much a page moves while it loads. */
import { addAccount } from '../../../../packages/server/test/harness/rows.ts';
import { accountCard } from './compose-steps.ts';
import { connectAccounts, expect, type Page, test } from './fixtures.ts';

/** A score of Cumulative Layout Shift. Up to 0.1 counts as good. */
const MAX_SHIFT = 0.005;

interface Shift {
  value: number;
  /** What moved. */
  moved: string[];
}

/** Collects what moves without an input, from the first paint on. */
async function watchShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    const nameOf = (node: Node | null) => (node instanceof Element ? node.outerHTML.slice(0, 120) : String(node));
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as unknown as {
          value: number;
          hadRecentInput: boolean;
          sources: { node: Node | null }[];
        };
        if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node }) => nameOf(node)) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
}

const untilIdle = (page: Page) => page.evaluate(() => new Promise((settled) => requestIdleCallback(settled)));

for (const count of [1, 12, 20])
  test(`Compose stays in place while ${count} accounts load`, { tag: '@layout' }, async ({ page, service, user }) => {
    if (count >= 12) await connectAccounts(user);
    for (let more = count % 12; more > 0; more--) await addAccount(service.db, user.userId, { platform: 'telegram' });
    // Code that arrives late.
    await page.route(/search-field-[^/]*\.js$/, async (route) => {
      await accountCard(page, 'Mastodon').waitFor();
      await untilIdle(page);
      await route.continue();
    });
    const shiftsOf = await watchShifts(page);
    await page.goto('/app/');
    await expect(accountCard(page, count === 1 ? 'Telegram' : 'Mastodon')).toBeVisible();
    if (count === 20) await expect(page.getByLabel('Find an account')).toBeVisible();
    await untilIdle(page);
    const shifts = await shiftsOf();
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThan(MAX_SHIFT);
  });
