/** The calendar: its views, moving posts, and zones. */
import type { Locator } from '@playwright/test';
import { addHistory } from '../../../../packages/server/test/post/world.ts';
import { test as base, connectAccounts, expect, type Page } from './fixtures.ts';
import { accountRow, post } from './post-steps.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface CalendarFixtures {
  /** Noon of a Wednesday that is 7 to 13 days ahead, so that the days around it are neither past nor in another week. */
  noon: number;
  /** Creates a scheduled post of the user by the API. @returns its id */
  schedule(at: number, description: string): Promise<string>;
  /** When a post is due, in ms since the epoch. */
  dateOf(id: string): Promise<number>;
}

const test = base.extend<CalendarFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  noon: async ({}, use) => {
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    await use(midnight + (7 + ((10 - new Date(midnight).getUTCDay()) % 7)) * DAY_MS + 12 * HOUR_MS);
  },
  schedule: async ({ service, user }, use) => {
    await connectAccounts(user);
    await use((at, description) => post(service, user, description, ['tiktok'], { at }));
  },
  dateOf: async ({ user }, use) => {
    await use(async (id) => Date.parse((await user.get(`/post/${id}`)).body.data.date));
  },
});

const show = (page: Page, view: string, at: number) =>
  page.goto(`/app/calendar?view=${view}&date=${new Date(at).toISOString().slice(0, 10)}`);

/** A post that can be dragged. */
const entry = (page: Page, words: string) => page.locator('[draggable=true]', { hasText: words });

const longDay = (at: number) =>
  new Intl.DateTimeFormat('en', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' }).format(at);

/** A day of the month. */
const day = (page: Page, at: number) => page.getByRole('button', { name: `New post on ${longDay(at)}`, exact: true });

/** Whether a post is in the column of a day. */
const isBelow = (shown: Locator, around: Locator) => async () => {
  const [inner, outer] = [await shown.boundingBox(), await around.boundingBox()];
  return inner !== null && outer !== null && inner.x >= outer.x && inner.x < outer.x + outer.width;
};

/** Holds the requests that change a post. @returns lets them pass */
async function holdChanges(page: Page, id: string): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(`**/post/${id}`, async (route) => {
    // The page also reads a post when the pointer is on its link.
    if (route.request().method() === 'PATCH') await released.promise;
    await route.fallback();
  });
  return released.resolve;
}

test.describe('dragging a post', () => {
  test('to another day keeps its time', async ({ page, noon, schedule, dateOf }) => {
    const id = await schedule(noon, 'Morning light');
    await show(page, 'month', noon);
    await entry(page, 'Morning light').dragTo(day(page, noon + DAY_MS));
    await expect(page.getByRole('status').getByText(/^Moved to/)).toBeVisible();
    expect(await dateOf(id)).toBe(noon + DAY_MS);
  });

  test('can be undone', async ({ page, noon, schedule, dateOf }) => {
    const id = await schedule(noon, 'Morning light');
    await show(page, 'month', noon);
    await entry(page, 'Morning light').dragTo(day(page, noon + DAY_MS));
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('status').getByText(/^Moved back to/)).toBeVisible();
    expect(await dateOf(id)).toBe(noon);
  });

  test('to a slot of the week sets its time', async ({ page, noon, schedule, dateOf }) => {
    const id = await schedule(noon, 'Evening light');
    await show(page, 'week', noon);
    // Below the entry: the row of days covers what is above.
    await entry(page, 'Evening light').dragTo(page.getByRole('button', { name: /^New post at Thu, .*12:30 PM$/ }));
    await expect(page.getByText(/^Moved to .*12:30 PM/)).toBeVisible();
    expect(await dateOf(id)).toBe(noon + DAY_MS + HOUR_MS / 2);
  });

  test('shows it there while that is saved', async ({ page, noon, schedule }) => {
    const id = await schedule(noon, 'Slow light');
    await show(page, 'month', noon);
    const release = await holdChanges(page, id);
    const slow = entry(page, 'Slow light');
    const isMoved = isBelow(slow, day(page, noon + DAY_MS));
    await expect.poll(isBelow(slow, day(page, noon))).toBe(true);
    await slow.dragTo(day(page, noon + DAY_MS));
    await expect.poll(isMoved).toBe(true);
    // When this post appears, the page has read the month again.
    await schedule(noon + 2 * DAY_MS, 'Other light');
    await expect(entry(page, 'Other light')).toBeVisible();
    expect(await isMoved()).toBe(true);
    release();
    await expect(page.getByText(/^Moved to/)).toBeVisible();
    expect(await isMoved()).toBe(true);
  });

  test('that has started is refused', async ({ page, noon, schedule, dateOf, service }) => {
    const id = await schedule(noon, 'Too late');
    await show(page, 'month', noon);
    const release = await holdChanges(page, id);
    await entry(page, 'Too late').dragTo(day(page, noon + DAY_MS));
    await expect.poll(isBelow(entry(page, 'Too late'), day(page, noon + DAY_MS))).toBe(true);
    // Not before the drag: the page does not let a post be dragged that it knows as started.
    await service.db.execute(`update target set state = 'posted', due_at = null where post_id = $1`, [id]);
    release();
    await expect(page.getByRole('alert').getByText('already started')).toBeVisible();
    expect(await dateOf(id)).toBe(noon);
  });

  test('that never ends does not lock the calendar', async ({ page, noon, schedule }) => {
    await schedule(noon, 'Still here');
    await show(page, 'month', noon);
    // The end of a drag is lost if its entry is replaced meanwhile.
    const dataTransfer = await page.evaluateHandle(() => new DataTransfer());
    await entry(page, 'Still here').dispatchEvent('dragstart', { dataTransfer });
    await expect(page.locator('[data-dragging]')).toBeVisible();
    await page.mouse.move(5, 5);
    await entry(page, 'Still here').getByRole('link').click();
    await expect(page.getByRole('heading', { name: 'Scheduled' })).toBeVisible();
  });
});

test('the time is changed by keyboard', { tag: '@layout' }, async ({ page, noon, schedule, dateOf }) => {
  const id = await schedule(noon, 'By hand');
  await show(page, 'list', noon - DAY_MS);
  await page.getByRole('button', { name: /^Change time of 12:00 PM By hand/ }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change time' });
  await dialog.getByLabel('Time', { exact: true }).fill('15:45');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^Moved to .*3:45 PM/)).toBeVisible();
  expect(await dateOf(id)).toBe(noon + 3.75 * HOUR_MS);
});

test('an empty day starts a post at its noon', async ({ page, noon, user }) => {
  await connectAccounts(user);
  await show(page, 'month', noon);
  await day(page, noon).click();
  await expect(page.getByLabel('Time', { exact: true })).toHaveValue('12:00');
  await expect(page.getByRole('radio', { name: 'Later' })).toBeChecked();
  await expect(page.getByRole('button', { name: /^Schedule for/ })).toContainText('12:00');
});

test('a post created elsewhere appears without polling', async ({ page, noon, schedule }) => {
  // Polling needs intervals, and this page has none.
  await page.addInitScript(() => Object.assign(window, { setInterval: () => 0 }));
  await schedule(noon, 'Already here');
  await show(page, 'month', noon);
  await expect(entry(page, 'Already here')).toBeVisible();
  await schedule(noon, 'Newly here');
  await expect(entry(page, 'Newly here')).toBeVisible();
});

test('a week opens at its next post', async ({ page, noon, schedule }) => {
  await schedule(noon + 8 * HOUR_MS, 'Late light');
  await show(page, 'week', noon);
  await expect(entry(page, 'Late light')).toBeInViewport();
});

test('a month opens at today', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 480 });
  await page.goto('/app/calendar?view=month');
  await expect(page.locator('[aria-current=date]')).toBeInViewport({ ratio: 0.9 });
});

test('a phone starts with the list', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/app/calendar');
  await expect(page.getByRole('radio', { name: 'List' })).toBeChecked();
  await expect(page.getByText('There are no posts in these four weeks.')).toBeVisible();
});

test('the address keeps view and date', async ({ page }) => {
  await page.goto('/app/calendar?view=list');
  await page.getByRole('button', { name: 'Next four weeks' }).click();
  await expect(page).toHaveURL(/date=\d{4}-\d{2}-\d{2}/);
  await page.getByText('Week', { exact: true }).click();
  await expect(page).toHaveURL(/date=\d{4}-\d{2}-\d{2}/);
  await expect(page).toHaveURL(/view=week/);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Week' })).toBeChecked();
  await expect(page).toHaveURL(/date=\d{4}-\d{2}-\d{2}/);
});

test.describe('a user in Kolkata', () => {
  test.beforeEach(({ service, user }) =>
    service.db.execute(`update auth."user" set zone = 'Asia/Kolkata' where id = $1`, [user.userId]),
  );

  test.describe('whose browser is in New York', () => {
    test.use({ timezoneId: 'America/New_York' });

    test('sees times of Kolkata', async ({ page, noon, schedule }) => {
      await schedule(noon, 'Far away');
      await show(page, 'list', noon);
      await expect(page.getByText('Times in Asia/Kolkata')).toBeVisible();
      await expect(page.getByRole('listitem').getByText('5:30 PM')).toBeVisible();
    });
  });

  test.describe('whose browser is in Berlin', () => {
    test.use({ timezoneId: 'Europe/Berlin' });

    for (const view of ['month', 'week'])
      test(`sees posts at unusual times in a ${view}`, async ({ page, service, user }) => {
        await connectAccounts(user);
        const account = await accountRow(service, user, 'tiktok');
        // 2:30:45 and 23:59:00 in Kolkata. Berlin's clock skips the hour from 2:00 on that day.
        const skipped = Date.UTC(2026, 2, 28, 21, 0, 45);
        await addHistory(service.db, user.userId, account, [
          { at: skipped, description: 'Early' },
          { at: Date.UTC(2026, 2, 29, 18, 29), description: 'Late' },
        ]);
        await show(page, view, skipped);
        await expect(page.getByRole('link', { name: 'Early' })).toBeVisible();
        await expect(page.getByRole('link', { name: 'Late' })).toBeVisible();
      });
  });
});
