import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type E2eWorld, openWithAccounts, SCREENS, seriousProblems, shoot, startE2eWorld } from './browser.ts';
import { addRule } from './rule-steps.ts';

describe.each(SCREENS)('on a %s', (name, screen) => {
  let world: E2eWorld;
  let page: Page;
  beforeAll(async () => {
    world = await startE2eWorld({ rateLimit: 'off' });
    page = await openWithAccounts(world, screen, '/sandbox');
  });
  afterEach(() => world.showFailure());
  afterAll(() => world.close());

  /** With the connected account of the platform. */
  const fillPhone = async (platform: string, caption: string) => {
    await page.getByRole('button', { name: 'Post from the phone' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Platform' }).fill(platform);
    await page.getByRole('option', { name: platform }).click();
    await dialog.getByRole('textbox', { name: 'Caption' }).fill(caption);
  };
  const sendFromPhone = async () => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Post', exact: true }).click();
    // The dialog contains the caption too.
    await dialog.waitFor({ state: 'hidden' });
  };

  test('a post from the phone appears and plays on demand', async () => {
    await page.getByText('Nothing is published here yet.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    for (const [platform, caption] of [
      ['Mastodon', 'Good morning'],
      ['Pinterest', 'Waves'],
    ] as const) {
      await fillPhone(platform, caption);
      expect(await seriousProblems(page)).toEqual([]);
      await shoot(page, `dialog-${name}`);
      await sendFromPhone();
      await page.getByText(caption).waitFor();
    }
    const phone = page.getByRole('article', { name: /^Mastodon/ });
    const video = phone.locator('video');
    expect(await video.evaluate((each: HTMLVideoElement) => each.paused)).toBe(true);
    await shoot(page, `posts-${name}`);
    await phone.getByRole('button', { name: /^Play/ }).click();
    await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.paused)).toBe(false);
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('posts are filtered by platform', async () => {
    await page.getByRole('combobox', { name: 'Platform' }).click();
    await page.getByRole('option', { name: 'Pinterest' }).click();
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await page.getByRole('article', { name: /^Pinterest/ }).waitFor();
  });

  test('a fault is switched on and off', async () => {
    const status = async () => (await fetch(`${world.service.url}/sandbox/mastodon/api/v1/instance`)).status;
    await page.getByRole('button', { name: 'Faults' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('combobox', { name: 'Mastodon: Fault' }).click();
    await page.getByRole('option', { name: 'Server error' }).click();
    await drawer.getByRole('combobox', { name: 'Mastodon: Share of the requests' }).waitFor();
    await expect.poll(status).toBeGreaterThanOrEqual(500);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `faults-${name}`);
    await page.keyboard.press('Escape');
    await page.getByText('1 fault is on').waitFor();
    await page.getByRole('button', { name: 'Faults' }).first().click();
    await drawer.getByRole('button', { name: 'Switch all off' }).click();
    await expect.poll(status).toBe(200);
    await page.keyboard.press('Escape');
  });

  test('a post from the phone is reposted by a rule', async () => {
    await page.goto(`${world.service.url}/app/reposts?view=table`);
    await addRule(page, 'Mastodon', 'Bluesky');
    await page.getByRole('button', { name: /^Open the rule from Mastodon/ }).waitFor();
    await page.goto(`${world.service.url}/app/sandbox`);
    await fillPhone('Mastodon', 'Seen by a rule');
    await sendFromPhone();
    await page.goto(`${world.service.url}/app/posts`);
    await page.getByRole('listitem').filter({ hasText: 'Seen by a rule' }).getByText('Posted').waitFor();
    await page.goto(`${world.service.url}/app/sandbox`);
    const copies = page.getByRole('article').filter({ hasText: 'Seen by a rule' });
    await expect.poll(() => copies.count()).toBe(2);
    await copies.filter({ hasText: 'Bluesky' }).waitFor();
  });

  test('a reset asks first and deletes all posts', async () => {
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByText(/Connected simulated accounts lose their access/).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText('Nothing is published here yet.').waitFor();
    expect(world.problems).toEqual([]);
  });
});
