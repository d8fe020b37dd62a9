import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import {
  answerQuestions,
  type E2eWorld,
  openWithAccounts,
  SCREENS,
  seriousProblems,
  shoot,
  signIn,
  startE2eWorld,
} from './browser.ts';

let video: string;
beforeAll(async () => {
  video = await makeVideo({ seconds: 6, width: 540, height: 960, fps: 25 });
});

describe.each(SCREENS)('on a %s', (name, screen) => {
  let world: E2eWorld;
  beforeAll(async () => {
    world = await startE2eWorld();
  });
  afterEach(() => world.closePages());
  afterAll(() => world.close());

  test('the first visitor posts to twelve simulated accounts', async () => {
    const page = await world.open(screen);
    await page.goto(world.service.url);
    await page.getByRole('heading', { name: 'Welcome to Reelay' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByLabel('Email').fill('ana@example.com');
    await page.getByLabel('Password').first().fill('correct horse battery');
    await page.getByRole('button', { name: 'Create account' }).click();

    await page.getByRole('heading', { name: 'Try it with simulated accounts' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Connect twelve simulated accounts' }).click();
    await page.getByText('Uploaded', { exact: true }).waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Hello from Reelay! #firstlight');
    await page.getByRole('button', { name: 'Answer 3 more questions' }).waitFor();
    expect(await page.getByRole('button', { name: 'Post to 12 accounts' }).isDisabled()).toBe(true);
    await answerQuestions(page);
    await page.getByText('Ready for all 12 accounts.').or(page.getByText('Before you post')).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `first-minute-${name}`);
    await page.getByRole('button', { name: 'Post to 12 accounts' }).click();

    await page.getByText('12 of 12 posted').waitFor();
    expect(await page.locator('[data-look=SUCCESS]').count()).toBe(12);
    expect(await page.getByRole('link', { name: 'Open post' }).count()).toBe(12);
    expect(await seriousProblems(page)).toEqual([]);
    const published = await world.service.db.query('select from sandbox.published where not removed');
    expect(published).toHaveLength(12);

    await page.getByRole('link', { name: 'Watch in the sandbox' }).click();
    const feed = page.getByRole('list', { name: 'Posts on the simulated platforms' });
    await expect.poll(() => feed.getByRole('listitem').count()).toBe(12);
    await page.goBack();
    await page.getByRole('link', { name: 'All posts' }).click();
    await page.getByText('1 post', { exact: true }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    expect(world.problems).toEqual([]);
  });

  test('what was typed survives a reload and a session that ends', async () => {
    const user = await world.service.newSession();
    const page = await world.open({ ...screen, user });
    await page.goto(`${world.service.url}/app/`);
    await page.getByLabel('Description').fill('Half a thought 🌅 <b>مرحبا</b>');
    await page.reload();
    expect(await page.getByLabel('Description').inputValue()).toBe('Half a thought 🌅 <b>مرحبا</b>');
    await page.context().clearCookies();
    await page.goto(`${world.service.url}/app/`);
    await signIn(page, user);
    await page.getByLabel('Description').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Half a thought 🌅 <b>مرحبا</b>');
    expect(world.problems).toEqual([]);
  });

  test('a failed account can be retried, and its reason is shown', async () => {
    const page = await openWithAccounts(world, screen, '/');
    await compose(page, 'Too much #sandbox-reject');
    await page.getByText(/0 of 1 posted, 1 failed/).waitFor();
    await page.getByRole('button', { name: 'What happened' }).click();
    await page.getByRole('button', { name: 'Retry' }).click();
    // Stays in the timeline; "Posting …" may be over before it is seen.
    await page.getByText('Retry requested.').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('a scheduled post can be canceled', async () => {
    const page = await openWithAccounts(world, screen, '/');
    await compose(page, 'Not yet', true);
    await page.getByRole('heading', { name: 'Scheduled' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel post' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel post' }).click();
    await page.getByText('Nothing has been posted yet.').waitFor();
    expect(world.problems).toEqual([]);
  });
});

/** Posts to the account at TikTok. */
async function compose(page: Page, description: string, isLater = false): Promise<void> {
  await page.setInputFiles('input[type=file]', video);
  await page.getByLabel('Description').fill(description);
  await page.getByRole('checkbox', { name: /TikTok/ }).click();
  await answerQuestions(page);
  if (isLater) await page.getByRole('radio', { name: 'Later' }).check();
  await page.getByRole('button', { name: isLater ? /Schedule for/ : 'Post to 1 account' }).click();
}
