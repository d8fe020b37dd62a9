import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AccountRow } from '../../../../packages/server/test/harness/rows.ts';
import { addHistory, addReadyAccount, queuePost } from '../../../../packages/server/test/post/world.ts';
import { DESKTOP, type E2eWorld, PHONE, seriousProblems, startE2eWorld } from './browser.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

let world: E2eWorld;
beforeAll(async () => {
  // Posts wait: no worker may find their video missing.
  world = await startE2eWorld({ role: 'api' });
});
afterEach(() => world.closePages());
afterAll(() => world.close());

/** Noon of a Wednesday that is 7 to 13 days ahead, so that the days around it are neither past nor in another week. */
let noon: number;
beforeEach(() => {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  noon = midnight + (7 + ((10 - new Date(midnight).getUTCDay()) % 7)) * DAY_MS + 12 * HOUR_MS;
});
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

interface Visit {
  page: Page;
  account: AccountRow;
  userId: string;
  /** Creates a scheduled post. */
  schedule(at: number, description: string): Promise<string>;
}

/** Signs in a new user with a connected account. */
async function visit(screen: Parameters<E2eWorld['open']>[0]): Promise<Visit> {
  const user = await world.service.newSession();
  const { userId } = user;
  const page = await world.open({ ...screen, user });
  const account = await addReadyAccount(world.service.db, userId);
  const schedule = (at: number, description: string) =>
    queuePost(world.service, userId, [account], { at, description });
  return { page, account, userId, schedule };
}

const show = (page: Page, view: string, at: number) =>
  page.goto(`${world.service.url}/app/calendar?view=${view}&date=${dayOf(at)}`);

/**
 * Starts a post when its change is sent: the page would not let go of a post that it knows as started.
 * @param ready delays it
 */
const startBeforeMove = (page: Page, id: string, ready?: Promise<void>) =>
  page.route(`**/post/${id}`, async (route) => {
    // The page also reads a post when the pointer is on its link.
    if (route.request().method() !== 'PATCH') return route.continue();
    await ready;
    await world.service.db.execute(`update target set state = 'posted', due_at = null where post_id = $1`, [id]);
    await route.continue();
  });

async function dateOf(id: string): Promise<number> {
  const [post] = await world.service.db.query<{ date: Date }>('select date from post where id = $1', [id]);
  return post?.date.getTime() ?? Number.NaN;
}

const button = (page: Page, name: RegExp) => page.getByRole('button', { name });
const entry = (page: Page, words: string) => page.locator('[draggable=true]', { hasText: words });
const longDay = (at: number) =>
  new Intl.DateTimeFormat('en', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' }).format(at);

test('a post dragged to another day keeps its time, and can be moved back', async () => {
  const { page, schedule } = await visit(DESKTOP);
  const id = await schedule(noon, 'Morning light');
  await show(page, 'month', noon);
  await entry(page, 'Morning light').waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  const target = noon + DAY_MS;
  await entry(page, 'Morning light').dragTo(button(page, new RegExp(`^New post on ${longDay(target)}$`)));
  // Below the pointer, the notice stays.
  await page.getByText(/^Moved to/).hover();
  expect(await dateOf(id)).toBe(target);
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.hover();
  expect(await seriousProblems(page)).toEqual([]);
  await undo.click();
  await page.getByText(/^Moved back to/).waitFor();
  expect(await dateOf(id)).toBe(noon);
  expect(world.problems).toEqual([]);
});

test('a post stays where it was moved until that is saved', async () => {
  const { page, schedule } = await visit(DESKTOP);
  const id = await schedule(noon, 'Slow light');
  await page.clock.install();
  await show(page, 'month', noon);
  const saved = Promise.withResolvers<void>();
  await page.route(`**/post/${id}`, async (route) => {
    await saved.promise;
    await route.continue();
  });
  const day = button(page, new RegExp(`^New post on ${longDay(noon + DAY_MS)}$`));
  const isMoved = async () => {
    const [shown, around] = [await entry(page, 'Slow light').boundingBox(), await day.boundingBox()];
    return shown !== null && around !== null && shown.x >= around.x && shown.x < around.x + around.width;
  };
  expect(await isMoved()).toBe(false);
  await entry(page, 'Slow light').dragTo(day);
  await expect.poll(isMoved).toBe(true);
  const read = page.waitForResponse('**/dashboard/calendar?*');
  // The page reads the month again from time to time.
  await page.clock.fastForward(20_000);
  await (await read).finished();
  await page.evaluate(() => new Promise((settled) => requestIdleCallback(settled)));
  expect(await isMoved()).toBe(true);
  saved.resolve();
  await page.getByText(/^Moved to/).waitFor();
  expect(await isMoved()).toBe(true);
  expect(world.problems).toEqual([]);
});

test('a post dragged to a slot of the week gets its time', async () => {
  const { page, schedule } = await visit(DESKTOP);
  const id = await schedule(noon, 'Evening light');
  await show(page, 'week', noon);
  await entry(page, 'Evening light').waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  // Below the entry: the row of days covers what is above.
  const slot = page.getByRole('button', { name: /^New post at Thu, .*12:30$/ });
  await entry(page, 'Evening light').dragTo(slot);
  await page.getByText(/^Moved to .*12:30/).waitFor();
  expect(await dateOf(id)).toBe(noon + DAY_MS + HOUR_MS / 2);
  expect(world.problems).toEqual([]);
});

test('a drag without an end does not lock the calendar', async () => {
  const { page, schedule } = await visit(DESKTOP);
  await schedule(noon, 'Still here');
  await show(page, 'month', noon);
  // The end of a drag is lost if its entry is replaced meanwhile.
  const dataTransfer = await page.evaluateHandle(() => new DataTransfer());
  await entry(page, 'Still here').dispatchEvent('dragstart', { dataTransfer });
  await page.locator('[data-dragging]').waitFor();
  await page.mouse.move(5, 5);
  await entry(page, 'Still here').getByRole('link').click();
  await page.getByRole('heading', { name: 'Scheduled' }).waitFor();
  expect(world.problems).toEqual([]);
});

test('times that the browser skips, and those before midnight, are shown', async () => {
  const { page, account, userId } = await visit({ ...DESKTOP, timezoneId: 'Europe/Berlin' });
  await world.service.db.execute(`update auth."user" set zone = 'Asia/Kolkata' where id = $1`, [userId]);
  // 2:30:45 and 23:59:00 in Kolkata. Berlin's clock skips the hour from 2:00 on that day.
  const skipped = Date.UTC(2026, 2, 28, 21, 0, 45);
  await addHistory(world.service.db, userId, account, [
    { at: skipped, description: 'Early' },
    { at: Date.UTC(2026, 2, 29, 18, 29), description: 'Late' },
  ]);
  for (const view of ['month', 'week']) {
    await show(page, view, skipped);
    for (const words of ['Early', 'Late']) await page.getByRole('link', { name: words }).waitFor();
  }
  expect(world.problems).toEqual([]);
});

test('a post that has begun stays where it was', async () => {
  const { page, schedule } = await visit(DESKTOP);
  const id = await schedule(noon, 'Too late');
  await show(page, 'month', noon);
  await startBeforeMove(page, id);
  await entry(page, 'Too late').dragTo(button(page, new RegExp(`^New post on ${longDay(noon + DAY_MS)}$`)));
  await page.getByRole('alert').getByText('already started').waitFor();
  expect(await dateOf(id)).toBe(noon);
  expect(world.problems).toEqual([]);
});

test('a refused move is reported although another one follows', async () => {
  const { page, schedule } = await visit(DESKTOP);
  const refused = await schedule(noon, 'Begun');
  const moved = await schedule(noon + DAY_MS, 'Waiting');
  await show(page, 'month', noon);
  const held = Promise.withResolvers<void>();
  await startBeforeMove(page, refused, held.promise);
  const target = button(page, new RegExp(`^New post on ${longDay(noon + 2 * DAY_MS)}$`));
  for (const words of ['Begun', 'Waiting']) await entry(page, words).dragTo(target);
  held.resolve();
  await page.getByRole('alert').getByText('already started').waitFor();
  await expect.poll(() => dateOf(moved)).toBe(noon + 2 * DAY_MS);
  expect(world.problems).toEqual([]);
});

test.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('the time is changed by keyboard on a %s', async (_name, screen) => {
  const { page, schedule, account, userId } = await visit(screen);
  const id = await schedule(noon, 'By hand');
  await addHistory(world.service.db, userId, account, [{ at: noon, description: 'Older' }]);
  await show(page, 'list', noon - DAY_MS);
  await page.getByText('Scheduled').waitFor();
  await page.getByText('Posted').waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  const change = page.getByRole('button', { name: /^Change time of 12:00 By hand/ });
  await change.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change time' });
  await dialog.getByLabel('Time', { exact: true }).fill('');
  await dialog.getByText('Enter a date and a time.').waitFor();
  await dialog.getByLabel('Time', { exact: true }).fill('15:45');
  expect(await seriousProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Moved to .*15:45/).waitFor();
  expect(await dateOf(id)).toBe(noon + 3.75 * HOUR_MS);
  expect(world.problems).toEqual([]);
});

test('an empty slot starts a post at its time', async () => {
  const { page } = await visit(DESKTOP);
  await show(page, 'month', noon);
  await button(page, new RegExp(`^New post on ${longDay(noon)}$`)).click();
  expect(await page.getByLabel('Time', { exact: true }).inputValue()).toBe('12:00');
  expect(await page.getByRole('radio', { name: 'Later' }).isChecked()).toBe(true);
  expect(await page.getByRole('button', { name: /^Schedule for/ }).textContent()).toContain('12:00');
  expect(world.problems).toEqual([]);
});

test('a phone starts with the list, and the address keeps view and date', async () => {
  const { page } = await visit(PHONE);
  await page.goto(`${world.service.url}/app/calendar`);
  await page.getByText('There are no posts in these four weeks.').waitFor();
  await page.getByRole('button', { name: 'Next four weeks' }).click();
  await page.waitForURL(/date=\d{4}-\d{2}-\d{2}/);
  await page.getByText('Week', { exact: true }).click();
  await page.waitForURL(/view=week/);
  await page.reload();
  expect(await page.getByRole('radio', { name: 'Week' }).isChecked()).toBe(true);
  expect(page.url()).toMatch(/date=\d{4}-\d{2}-\d{2}/);
  expect(world.problems).toEqual([]);
});

test('times are shown in the zone of the user', async () => {
  const { page, schedule, userId } = await visit({ ...DESKTOP, timezoneId: 'America/New_York' });
  await world.service.db.execute(`update auth."user" set zone = 'Asia/Kolkata' where id = $1`, [userId]);
  await schedule(noon, 'Far away');
  await show(page, 'list', noon);
  await page.getByText('Times in Asia/Kolkata').waitFor();
  await page.getByText('17:30').waitFor();
  expect(world.problems).toEqual([]);
});
