/** The service restarts while a page is open. */
import { randomBytes } from 'node:crypto';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { type BrokenLine, openLine } from '../../../../packages/server/test/uploads/broken-line.ts';
import { postNow, writePost } from './compose-steps.ts';
import { connectAccounts, expect, startWithPages, type TestService, test } from './fixtures.ts';

const secretKey = randomBytes(32);

let video: string;
let service: TestService;
let restarted: TestService | undefined;
/** Keeps its port while the service is down, which another process could take otherwise. */
let line: BrokenLine;
test.beforeAll(async () => {
  video = await makeVideo();
  service = await startWithPages({}, secretKey);
  line = await openLine();
  line.leadTo(service.url);
});
test.afterAll(async () => {
  await restarted?.close();
  await service.close();
  await line.close();
});

async function restart(): Promise<void> {
  const { storageFolder, publicUrl, listen } = service.context.config;
  restarted = await startWithPages({ databaseUrl: service.db.url, storageFolder, publicUrl, listen }, secretKey);
  line.cut();
  line.leadTo(restarted.url);
}

test('a post sent during a restart is made once', async ({ open }) => {
  const user = await service.newSession();
  await connectAccounts(user);
  const page = await open({ user, url: line.url });
  await page.goto('/app/');
  await writePost(page, { video, description: 'Across a restart', platforms: ['Mastodon'] });
  await expect(page.getByText('Ready for 1 account.').or(page.getByText('Before you post'))).toBeVisible();
  await service.drain();
  await expect(page.getByRole('status').getByText('Connection lost')).toBeVisible();
  // The request is repeated until the service is back.
  await postNow(page);
  await restart();
  await expect(page.getByText('1 of 1 posted')).toBeVisible();
  await expect(page.getByText('Connection lost')).toBeHidden();
  expect(await service.db.query('select from sandbox.published where not removed')).toHaveLength(1);
});
