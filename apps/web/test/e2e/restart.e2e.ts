/** The service restarts while a page is open. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../../../../packages/server/test/harness/service.ts';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { type BrokenLine, openLine } from '../../../../packages/server/test/uploads/broken-line.ts';
import { DESKTOP, type E2eWorld, startE2eWorld, startWithPages } from './browser.ts';
import { postNow, writePost } from './compose-steps.ts';

const secretKey = randomBytes(32);
let world: E2eWorld;
let video: string;
/** Keeps its port while the service is down, which another process could take otherwise. */
let line: BrokenLine;
let restarted: TestService | undefined;
beforeAll(async () => {
  video = await makeVideo();
  world = await startE2eWorld({}, secretKey);
  line = await openLine();
  line.leadTo(world.service.url);
});
afterEach(() => world.showFailure());
afterAll(async () => {
  await restarted?.close();
  await world.close();
  await line.close();
});

test('a restart loses nothing, and the post is made once', async () => {
  const user = await world.service.newSession();
  await user.post('/accounts/connect-sandbox');
  const page = await world.open({ ...DESKTOP, user, url: line.url });
  await page.goto(`${line.url}/app/`);
  await writePost(page, { video, description: 'Across a restart', platforms: ['Mastodon'] });
  await page.getByText('Ready for 1 account.').or(page.getByText('Before you post')).waitFor();
  const { db, context } = world.service;
  const { storageFolder, publicUrl, listen } = context.config;
  await world.service.drain();
  await page.getByRole('status').getByText('Connection lost').waitFor();
  // The request is repeated until the service is back.
  await postNow(page);

  restarted = await startWithPages({ databaseUrl: db.url, storageFolder, publicUrl, listen }, secretKey);
  line.cut();
  line.leadTo(restarted.url);
  await page.getByText('1 of 1 posted').waitFor();
  await page.getByText('Connection lost').waitFor({ state: 'detached' });
  const published = await db.query('select from sandbox.published where not removed');
  expect(published).toHaveLength(1);
  expect(world.problems).toEqual([]);
});
