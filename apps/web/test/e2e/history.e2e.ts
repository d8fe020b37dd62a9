import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addHistory } from '../../../../packages/server/test/post/world.ts';
import { type E2eWorld, holdResponse, SCREENS, seriousProblems, shoot, startE2eWorld } from './browser.ts';
import { accountRow, post, visit } from './post-steps.ts';

const HOUR_MS = 3_600_000;
const DAY = Date.UTC(2026, 2, 10, 12);

describe.each(SCREENS)('on a %s', (name, screen) => {
  let world: E2eWorld;
  beforeAll(async () => {
    world = await startE2eWorld();
  });
  afterEach(() => world.closePages());
  afterAll(() => world.close());

  /** The history has one post. */
  async function visitWithPost() {
    const visitor = await visit(world, screen);
    const account = await accountRow(world, visitor.user, 'mastodon');
    await addHistory(world.service.db, visitor.user.userId, account, [{ at: DAY, description: 'The only one' }]);
    return visitor;
  }

  test('the history is searched, and the filter is in the address', async () => {
    const { user, page } = await visit(world, screen);
    await page.goto(`${world.service.url}/app/posts`);
    await page.getByText('Nothing has been posted yet.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    const account = await accountRow(world, user, 'mastodon');
    const entries = Array.from({ length: 95 }, (_, at) => ({ at: DAY - at * HOUR_MS, description: `Entry ${at}` }));
    await addHistory(world.service.db, user.userId, account, entries);
    await page.getByText('Entry 0', { exact: true }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `history-${name}`);

    // Only what is near the screen is rendered; the rest is loaded while scrolling.
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4_000);
        return page.getByText('Entry 94', { exact: true }).count();
      })
      .toBe(1);
    expect(await page.getByRole('listitem').count()).toBeLessThan(60);
    await page.getByText('95 posts', { exact: true }).waitFor({ state: 'attached' });

    await page.getByLabel('Description contains').fill('entry 9');
    await page.getByText('6 posts', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('text')).toBe('entry 9');
    await page.reload();
    await page.getByText('6 posts', { exact: true }).waitFor();
    expect(await page.getByLabel('Description contains').inputValue()).toBe('entry 9');
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.getByText('No post matches these filters.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `history-none-${name}`);
    await page.getByRole('button', { name: 'Reset filters' }).last().click();
    await page.getByText('Entry 0', { exact: true }).waitFor();
    await page.getByLabel('From').focus();
    await page.keyboard.type('03102026', { delay: 50 });
    await page.getByText('13 posts', { exact: true }).waitFor();
    expect(await page.getByLabel('From').inputValue()).toBe('2026-03-10');
    expect(new URL(page.url()).searchParams.get('from')).toBe('2026-03-10');
    await page.keyboard.press('Delete');
    await page.getByText(/^The newest \d+ posts/).waitFor();
    await page.keyboard.type('2027');
    await page.getByText('No post matches these filters.').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('a filter keeps the focus while its result is read', async () => {
    const { page } = await visitWithPost();
    await page.goto(`${world.service.url}/app/posts?text=zebra`);
    await page.getByText('No post matches these filters.').waitFor();
    const held = Promise.withResolvers<void>();
    const asked = page.waitForRequest('**/dashboard/posts?*');
    await page.route('**/dashboard/posts?*', async (route) => {
      await held.promise;
      await route.continue();
    });
    const field = page.getByLabel('Description contains');
    await field.fill('');
    await asked;
    await page.waitForURL((url) => !url.searchParams.has('text'));
    expect(await page.getByText('Nothing has been posted yet.').count()).toBe(0);
    expect(await field.evaluate((each) => each === document.activeElement)).toBe(true);
    held.resolve();
    await page.getByText('The only one').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('a post made while a filter is read is shown', async () => {
    const { user, page } = await visitWithPost();
    const other = await page.context().newPage();
    for (const each of [page, other]) await each.goto(`${world.service.url}/app/posts`);
    await Promise.all([page, other].map((each) => each.getByText('The only one').waitFor()));
    const held = await holdResponse(page, /\/dashboard\/posts\?.*zebra/);
    await page.getByLabel('Description contains').fill('zebra');
    await held.isRead;
    await post(world, user, 'A zebra', ['mastodon'], [['scheduled', String(Date.now() + 48 * HOUR_MS)]]);
    // The event has reached the tabs.
    await other.getByText('A zebra').waitFor();
    held.release();
    await page.getByText('A zebra').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('letters typed while the address changes are kept', async () => {
    const { page } = await visit(world, screen);
    // "sail" is typed when the address gets "sa", before the page has rendered it. Then the field is watched.
    await page.addInitScript(() => {
      const { replaceState } = History.prototype;
      const seen: (string | undefined)[] = [];
      Object.assign(window, { seen });
      History.prototype.replaceState = function (...given) {
        replaceState.apply(this, given);
        if (!String(given[2]).includes('text=sa&')) return;
        const field = document.querySelector<HTMLInputElement>('input[type=search]');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'sail');
        field?.dispatchEvent(new Event('input', { bubbles: true }));
        const watch = () => {
          seen.push(field?.value);
          if (!window.location.search.includes('text=sail')) requestAnimationFrame(watch);
        };
        watch();
      };
    });
    await page.goto(`${world.service.url}/app/posts?status=FAILED`);
    await page.getByText('No post matches these filters.').waitFor();
    const field = page.getByLabel('Description contains');
    await field.fill('sa');
    await page.waitForURL((url) => url.searchParams.get('text') === 'sail');
    expect(await field.inputValue()).toBe('sail');
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    expect([...new Set(seen)]).toEqual(['sail']);
    expect(world.problems).toEqual([]);
  });

  test('a reset also discards what was just typed', async () => {
    const { page } = await visitWithPost();
    await page.clock.install();
    await page.goto(`${world.service.url}/app/posts?status=FAILED`);
    await page.getByText('No post matches these filters.').waitFor();
    // In one task, because the page writes what is typed to the address after a moment.
    await page.evaluate(() => {
      const field = document.querySelector('input[type=search]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'zebra');
      field?.dispatchEvent(new Event('input', { bubbles: true }));
      const buttons = [...document.querySelectorAll('button')];
      buttons.find(({ textContent }) => textContent === 'Reset filters')?.click();
    });
    await page.getByText('The only one').waitFor();
    await page.clock.runFor(1_000);
    await page.getByText('The only one').waitFor();
    expect(await page.getByLabel('Description contains').inputValue()).toBe('');
    expect(new URL(page.url()).search).toBe('');
    expect(world.problems).toEqual([]);
  });
});
