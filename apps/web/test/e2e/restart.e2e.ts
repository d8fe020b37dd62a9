/** The service restarts while a page is open. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../../../../packages/server/test/harness/service.ts';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { DESKTOP, type E2eWorld, openWithAccounts, startE2eWorld, startWithPages } from './browser.ts';
import { postNow, writePost } from './compose-steps.ts';

const secretKey = randomBytes(32);
let world: E2eWorld;
let video: string;
let restarted: TestService | undefined;
beforeAll(async () => {
  video = await makeVideo();
  world = await startE2eWorld({}, secretKey);
});
afterEach(() => world.showFailure());
afterAll(async () => {
  await restarted?.close();
  await world.close();
});

test('a restart loses nothing, and the post is made once', async () => {
  const page = await openWithAccounts(world, DESKTOP, '/');
  await writePost(page, { video, description: 'Across a restart', platforms: ['Mastodon'] });
  await page.getByText('Ready for 1 account.').or(page.getByText('Before you post')).waitFor();
  const { url, db, context } = world.service;
  const { storageFolder, publicUrl, listen } = context.config;
  await world.service.drain();
  await page.getByRole('status').getByText('Connection lost').waitFor();
  // The request is repeated until the service is back.
  await postNow(page);

  const port = Number(new URL(url).port);
  const shared = { databaseUrl: db.url, storageFolder, publicUrl, listen: { ...listen, port } };
  restarted = await startWithPages(shared, secretKey);
  await page.getByText('1 of 1 posted').waitFor();
  await page.getByText('Connection lost').waitFor({ state: 'detached' });
  const published = await db.query('select from sandbox.published where not removed');
  expect(published).toHaveLength(1);
  expect(world.problems).toEqual([]);
});
