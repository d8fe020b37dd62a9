/** What happens to the draft while a post is being made. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { DESKTOP, type E2eWorld, openWithAccounts, startE2eWorld } from './browser.ts';
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
  await page.getByRole('link', { name: 'Compose', exact: true }).click();
  await page.getByText('Drop a video here').waitFor();
  expect(await page.getByLabel('Description').inputValue()).toBe('The second post');
  expect(await page.getByRole('checkbox', { name: /Mastodon/ }).isChecked()).toBe(true);
  expect(world.problems).toEqual([]);
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
