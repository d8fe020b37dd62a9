import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DESKTOP, type E2eWorld, openWithAccounts, PHONE, seriousProblems, startE2eWorld } from './browser.ts';

describe.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('on a %s', (_name, screen) => {
  let world: E2eWorld;
  beforeAll(async () => {
    world = await startE2eWorld();
  });
  afterAll(() => world.close());

  test('a rule is added, paused and deleted, and a loop refused', async () => {
    const page = await openWithAccounts(world, screen, '/reposts');
    await page.getByText(/No rule yet/).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await addRule(page, 'TikTok', 'Mastodon');
    const rule = page.getByRole('article', { name: /TikTok/ });
    await rule.getByText('Active').waitFor();
    expect(await seriousProblems(page)).toEqual([]);

    await addRule(page, 'Mastodon', 'TikTok');
    await page
      .getByRole('alert')
      .getByText(/would form a loop/)
      .waitFor();
    await page.keyboard.press('Escape');

    await rule.getByRole('button', { name: 'Pause' }).click();
    await rule.getByText('Paused').waitFor();
    await rule.getByRole('button', { name: 'Activity' }).click();
    await page.getByText('The rule has not seen anything yet.').waitFor();
    await page.keyboard.press('Escape');
    await rule.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/No rule yet/).waitFor();
    expect(world.problems).toEqual([]);
  });

  test('an API key is shown once and replaced after a warning', async () => {
    const page = await world.open({ ...screen, user: true });
    await page.goto(`${world.service.url}/app/settings`);
    await page.getByRole('button', { name: 'Create key' }).click();
    const first = (await page.getByTestId('key').textContent()) ?? '';
    expect(await worksAt(world, first)).toBe(true);
    expect(await seriousProblems(page)).toEqual([]);
    await page.reload();
    await page.getByText('is active').waitFor();
    expect(await page.content()).not.toContain(first);

    await page.getByRole('button', { name: 'Replace key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
    await page.getByTestId('key').waitFor();
    const second = (await page.getByTestId('key').textContent()) ?? '';
    expect([await worksAt(world, first), await worksAt(world, second)]).toEqual([false, true]);

    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('is revoked').waitFor();
    expect(await worksAt(world, second)).toBe(false);
    expect(world.problems).toEqual([]);
  });
});

async function addRule(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'From' }).fill(from);
  await page.getByRole('option', { name: new RegExp(`^${from}:`) }).click();
  await dialog.getByRole('combobox', { name: 'To' }).fill(to);
  await page.getByRole('option', { name: new RegExp(`^${to}:`) }).click();
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Add rule' }).click();
}

async function worksAt(world: E2eWorld, key: string): Promise<boolean> {
  const response = await fetch(`${world.service.url}/api/v1/platform/platforms`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return response.ok;
}
