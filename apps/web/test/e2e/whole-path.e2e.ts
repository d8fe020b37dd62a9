/** From the first visit to published posts, and a platform that is down meanwhile. */
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { sendPost } from '../../../../packages/server/test/post/world.ts';
import { answerQuestions } from './compose-steps.ts';
import { connectAccounts, expect, type Page, type SessionUser, test } from './fixtures.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

test.use({ serviceConfig: {} });

/** Counts the clicks on a page from now on. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    addEventListener('pointerdown', () =>
      sessionStorage.setItem('clicks', `${sessionStorage.getItem('clicks') ?? ''}|`),
    );
  });
  return () => page.evaluate(() => (sessionStorage.getItem('clicks') ?? '').length);
}

/** From the first visit to twelve posts. */
const MAX_CLICKS = 7;

test('the first visitor posts to twelve simulated accounts', { tag: '@layout' }, async ({ open }) => {
  // Not `page`: its user would be the first.
  const page = await open();
  const clicks = await countClicks(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Welcome to Reelay' })).toBeVisible();
  await page.getByLabel('Email').fill('ana@example.com');
  await page.getByLabel('Password').first().fill('correct horse battery');
  await page.getByRole('button', { name: 'Create account' }).click();

  await page.getByRole('button', { name: 'Connect twelve simulated accounts' }).click();
  await expect(page.getByText('Uploaded', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Description')).toHaveValue('Hello from Reelay! #firstlight');
  await expect(page.getByRole('button', { name: 'Answer 3 more questions' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Post to 12 accounts' })).toBeDisabled();
  await answerQuestions(page);
  await page.getByRole('button', { name: 'Post to 12 accounts' }).click();
  const made = await clicks();
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThanOrEqual(MAX_CLICKS);

  await expect(page.getByText('12 of 12 posted')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open post' })).toHaveCount(12);
  await page.getByRole('link', { name: 'Watch in the sandbox' }).click();
  const feed = page.getByRole('list', { name: 'Posts on the simulated platforms' });
  await expect(feed.getByRole('listitem')).toHaveCount(12);
});

async function setFaults(operator: SessionUser, faults: object[]): Promise<void> {
  const { status } = await operator.call('PUT', '/operator/sandbox/faults', { json: { faults } });
  expect(status).toBe(200);
}

async function accountsOf(user: SessionUser, platforms: readonly string[]): Promise<string[]> {
  const { body } = await user.get('/platform/platforms');
  const accounts: { id: string; platform: string }[] = body.data;
  return accounts.filter(({ platform }) => platforms.includes(platform)).map(({ id }) => id);
}

test('a platform that is down for a day is retried', async ({ operator, user, page, service }) => {
  await connectAccounts(user);
  await setFaults(operator, [{ platform: 'mastodon', kind: 'server-error', share: 1 }]);
  const to = await accountsOf(user, ['mastodon', 'bluesky']);
  const { body } = await sendPost(user, { video: await makeVideo(), to, fields: [['description', 'Right now']] });
  await page.goto(`/app/posts/${body.historyId}`);
  await expect(page.getByText('1 of 2 posted, 1 being retried')).toBeVisible();
  // Longer than the service tries. The stream of the page is renewed meanwhile.
  await service.db.execute(`update live_user set until = until + interval '25 hours'`);
  await service.db.clock.advance(DAY_MS + DAY_MS / 24);
  await expect(page.getByText('1 of 2 posted, 1 failed')).toBeVisible();
  await setFaults(operator, []);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('2 of 2 posted', { exact: true })).toBeVisible();
  expect(await service.db.query('select from sandbox.published where not removed')).toHaveLength(2);
});

test('an account in trouble is tried again on request', async ({ operator, user, page, service }) => {
  await connectAccounts(user);
  await setFaults(operator, [{ platform: 'mastodon', kind: 'server-error', share: 1 }]);
  const to = await accountsOf(user, ['mastodon', 'bluesky']);
  const { body } = await sendPost(user, { video: await makeVideo(), to, fields: [['description', 'Soon']] });
  await page.goto(`/app/posts/${body.historyId}`);
  const card = page.getByRole('article', { name: /^Mastodon/ });
  await expect(card.getByText('Retrying')).toBeVisible();
  await expect(card.getByText(/^Mastodon responded with 5\d\d\./)).toBeVisible();
  await card.getByRole('button', { name: 'What happened' }).click();
  // During an attempt, a request has nothing to move, and leaves no line.
  await expect(async () => {
    await page.getByRole('button', { name: 'Try now' }).click();
    await expect(card.getByText('You asked to try again now.').first()).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await setFaults(operator, []);
  // The try asked for may have failed before the fault was gone, and the next pause is longer than a test waits.
  await expect(async () => {
    await service.db.clock.advance(MINUTE_MS);
    await expect(page.getByText('2 of 2 posted', { exact: true })).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(page.getByRole('region', { name: 'Accounts that are retried' })).toHaveCount(0);
});
