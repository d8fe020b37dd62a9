/** The draft: while a post is made, across reloads and sessions, and in the zone of the user. */
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { accountCard, postNow, writePost } from './compose-steps.ts';
import { connectAccounts, expect, type Page, type SessionUser, test } from './fixtures.ts';
import { signIn } from './session-steps.ts';

const HOUR_MS = 3_600_000;
const TYPED = 'Half a thought 🌅 <b>مرحبا</b>';

let video: string;
test.beforeAll(async () => {
  video = await makeVideo();
});

const descriptionOf = (page: Page) => page.getByLabel('Description');

async function openWithAccounts(page: Page, user: SessionUser): Promise<void> {
  await connectAccounts(user);
  await page.goto('/app/');
}

/** Presses the button, and holds the request. @returns lets the request pass */
async function pressAndHold(page: Page): Promise<() => void> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route('**/api/v1/post', async (route) => {
    asked.resolve();
    await released.promise;
    await route.fallback();
  });
  await postNow(page);
  await asked.promise;
  return () => released.resolve();
}

test('text typed while a post is made stays', async ({ page, user }) => {
  await openWithAccounts(page, user);
  await writePost(page, { video, description: 'The first post', platforms: ['Mastodon'] });
  const release = await pressAndHold(page);
  await descriptionOf(page).fill('The second post');
  release();
  await expect(page.getByText('1 of 1 posted')).toBeVisible();
  await page.getByRole('link', { name: 'Compose', exact: true }).click();
  await expect(page.getByRole('button', { name: /^(Drop or paste a video here|Choose a video)/ })).toBeVisible();
  await expect(descriptionOf(page)).toHaveValue('The second post');
});

test('the accounts of a post stay chosen for the next', async ({ page, user }) => {
  await openWithAccounts(page, user);
  await writePost(page, { video, description: 'The first post', platforms: ['Mastodon'] });
  await postNow(page);
  await expect(page.getByText('1 of 1 posted')).toBeVisible();
  await page.getByRole('link', { name: 'Compose', exact: true }).click();
  await expect(descriptionOf(page)).toHaveValue('');
  await expect(accountCard(page, 'Mastodon')).toBeChecked();
});

test('a finished post does not leave another page', async ({ page, user }) => {
  await openWithAccounts(page, user);
  await writePost(page, { video, description: 'Posted later', platforms: ['Mastodon'] });
  const release = await pressAndHold(page);
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await expect(page.getByText('12 connected accounts')).toBeVisible();
  release();
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Posted later');
  await expect(page).toHaveURL(/\/app\/accounts$/);
});

test('a draft survives a reload', async ({ page }) => {
  await page.goto('/app/');
  await descriptionOf(page).fill(TYPED);
  await page.reload();
  await expect(descriptionOf(page)).toHaveValue(TYPED);
});

test('a draft survives the end of the session', async ({ page, user }) => {
  await page.goto('/app/');
  await descriptionOf(page).fill(TYPED);
  await page.context().clearCookies();
  await page.goto('/app/');
  await signIn(page, user);
  await expect(descriptionOf(page)).toHaveValue(TYPED);
});

test('a post refused by an ended session is made afterwards', async ({ page, user, service }) => {
  await openWithAccounts(page, user);
  await writePost(page, { video, description: 'Half a thought', platforms: ['Mastodon'] });
  await page.route(
    '**/api/v1/post',
    async (route) => {
      await service.db.execute('update auth.session set expires_at = now() where user_id = $1', [user.userId]);
      await route.fallback();
    },
    { times: 1 },
  );
  await postNow(page);
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  await signIn(page, user);
  await expect(page.getByText('Ready for 1 account.')).toBeVisible();
  await expect(descriptionOf(page)).toHaveValue('Half a thought');
  await postNow(page);
  await expect(page.getByText('1 of 1 posted')).toBeVisible();
  expect(await service.db.query('select from post where user_id = $1', [user.userId])).toHaveLength(1);
});

test('the check of a removed video is hidden', async ({ page, user }) => {
  const ready = page.getByText('Ready for 1 account.');
  await openWithAccounts(page, user);
  await writePost(page, { video, description: 'First light', platforms: ['Mastodon'] });
  await expect(ready).toBeVisible();
  await page.getByRole('button', { name: 'Remove video' }).click();
  await expect(ready).toBeHidden();
  const counted = page.waitForResponse((response) => response.url().includes('/captions'));
  await descriptionOf(page).fill('Last light');
  await counted;
  await expect(ready).toBeHidden();
});

test('a time is typed in the zone of the user', async ({ page, user, service }) => {
  await service.db.execute(`update auth."user" set zone = 'Asia/Kolkata' where id = $1`, [user.userId]);
  const midnight = Math.ceil(Date.now() / HOUR_MS / 24) * 24 * HOUR_MS;
  await page.goto(`/app/?at=${midnight + 31 * HOUR_MS}`);
  const time = page.getByLabel('Time', { exact: true });
  await expect(time).toHaveValue('12:30');
  // The field keeps what it begins with, so it must not begin before the zone is known.
  const isShown = Promise.withResolvers<void>();
  await page.route('**/api/v1/user', async (route) => {
    await isShown.promise;
    await route.fallback();
  });
  await page.reload();
  await expect(page.locator('main, [role=status]').first()).toBeVisible();
  isShown.resolve();
  await expect(page.getByText('Time zone: Asia/Kolkata')).toBeVisible();
  await expect(time).toHaveValue('12:30');
});

test('an idle page does not render again and again', async ({ page }) => {
  await page.clock.install();
  await page.addInitScript(() => {
    const { setTimeout } = window;
    const counter = Object.assign(window, { pauses: 0 });
    counter.setTimeout = ((task: TimerHandler, ms?: number, ...rest: unknown[]) => {
      if (ms === 600) counter.pauses++;
      return setTimeout(task, ms, ...rest);
    }) as typeof setTimeout;
  });
  await page.goto('/app/');
  await descriptionOf(page).fill('Typed');
  const pauses = () => page.evaluate(() => Number((window as Window & { pauses?: number }).pauses));
  await expect.poll(pauses).toBeGreaterThan(0);
  // A response that arrives late may cause another one.
  await expect
    .poll(async () => {
      const before = await pauses();
      await page.clock.runFor(5_000);
      return (await pauses()) - before;
    })
    .toBe(0);
});
