/** The draft: while a post is made, with another video, and in the zone of the user. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import {
  DESKTOP,
  type E2eWorld,
  openWithAccounts,
  SCREENS,
  seriousProblems,
  shoot,
  signIn,
  startE2eWorld,
} from './browser.ts';
import { postNow, writePost } from './compose-steps.ts';

let world: E2eWorld;
let video: string;
beforeAll(async () => {
  video = await makeVideo();
  world = await startE2eWorld();
});
afterEach(() => world.closePages());
afterAll(() => world.close());

/** Presses the button, and holds the request. @returns lets the request pass */
async function pressAndHold(page: Page): Promise<() => void> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route('**/api/v1/post', async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  await postNow(page);
  await asked.promise;
  return () => released.resolve();
}

test('what is typed while a post is made stays', async () => {
  const page = await openWithAccounts(world, DESKTOP, '/');
  await writePost(page, { video, description: 'The first post', platforms: ['Mastodon'] });
  const release = await pressAndHold(page);
  await page.getByLabel('Description').fill('The second post');
  release();
  await page.getByText('1 of 1 posted').waitFor();
  expect(await page.title()).toBe('Posted · Reelay');
  await page.getByRole('link', { name: 'Compose', exact: true }).click();
  await page.getByText('Drop or paste a video here').waitFor();
  expect(await page.getByLabel('Description').inputValue()).toBe('The second post');
  expect(await page.getByRole('checkbox', { name: /Mastodon/ }).isChecked()).toBe(true);
  expect(world.problems).toEqual([]);
});

describe.each(SCREENS)('on a %s', (name, screen) => {
  test('a post that meets an ended session is made after signing in', async () => {
    const { db, newSession } = world.service;
    const user = await newSession();
    const page = await openWithAccounts(world, { ...screen, user }, '/');
    await writePost(page, { video, description: 'Half a thought', platforms: ['Mastodon'] });
    await page.route(
      '**/api/v1/post',
      async (route) => {
        await db.execute('update auth.session set expires_at = now() where user_id = $1', [user.userId]);
        await route.continue();
      },
      { times: 1 },
    );
    await postNow(page);
    await page.getByText('Your session has ended.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `session-ended-${name}`);
    await signIn(page, user);
    await page.getByText('Ready for 1 account.').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Half a thought');
    await postNow(page);
    await page.getByText('1 of 1 posted').waitFor();
    expect(await db.query('select from post where user_id = $1', [user.userId])).toHaveLength(1);
    expect(world.problems).toEqual([]);
  });
});

test('a finished post does not leave another page', async () => {
  const page = await openWithAccounts(world, DESKTOP, '/');
  await writePost(page, { video, description: 'Posted later', platforms: ['Mastodon'] });
  const release = await pressAndHold(page);
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await page.getByText('12 connected accounts').waitFor();
  release();
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Posted later');
  expect(new URL(page.url()).pathname).toBe('/app/accounts');
  expect(world.problems).toEqual([]);
});

test('what was said about a removed video is hidden', async () => {
  const page = await openWithAccounts(world, DESKTOP, '/');
  await writePost(page, { video, description: 'First light', platforms: ['Mastodon'] });
  await page.getByText('Ready for 1 account.').waitFor();
  await page.getByRole('button', { name: 'Remove video' }).click();
  await page.getByText('Ready for 1 account.').waitFor({ state: 'detached' });
  const isCounted = page.waitForResponse((response) => response.url().includes('/captions'));
  await page.getByLabel('Description').fill('Last light');
  await isCounted;
  expect(await page.getByText('Ready for 1 account.').count()).toBe(0);
  expect(world.problems).toEqual([]);
});

test('a time is typed in the zone of the user from the start', async () => {
  const user = await world.service.newSession();
  await world.service.db.execute(`update auth."user" set zone = 'Asia/Kolkata' where id = $1`, [user.userId]);
  const page = await world.open({ ...DESKTOP, user });
  await page.goto(`${world.service.url}/app/`);
  await page.getByRole('radio', { name: 'Later' }).check();
  const time = page.getByLabel('Time', { exact: true });
  const before = await time.inputValue();
  const isShown = Promise.withResolvers<void>();
  await page.route('**/api/v1/user', async (route) => {
    await isShown.promise;
    await route.continue();
  });
  await page.reload();
  await page.locator('main, [role=status]').first().waitFor();
  isShown.resolve();
  expect(await time.inputValue()).toBe(before);
  await page.getByText('Time zone: Asia/Kolkata').waitFor();
  expect(world.problems).toEqual([]);
});

test('an idle page does not render again and again', async () => {
  const page = await world.open({ ...DESKTOP, user: true });
  await page.clock.install();
  await page.addInitScript(() => {
    const { setTimeout } = window;
    const counter = Object.assign(window, { pauses: 0 });
    counter.setTimeout = ((task: TimerHandler, ms?: number, ...rest: unknown[]) => {
      if (ms === 600) counter.pauses++;
      return setTimeout(task, ms, ...rest);
    }) as typeof setTimeout;
  });
  await page.goto(`${world.service.url}/app/`);
  await page.getByLabel('Description').fill('Typed');
  const pauses = () => page.evaluate(() => Number((window as Window & { pauses?: number }).pauses));
  // A response that arrives late may cause another one.
  await expect
    .poll(async () => {
      const before = await pauses();
      await page.clock.runFor(5_000);
      return (await pauses()) - before;
    })
    .toBe(0);
  expect(await pauses()).toBeGreaterThan(0);
});
