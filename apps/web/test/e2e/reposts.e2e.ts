import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DESKTOP, type E2eWorld, openWithAccounts, PHONE, seriousProblems, startE2eWorld } from './browser.ts';

let world: E2eWorld;
beforeAll(async () => {
  world = await startE2eWorld();
});
afterAll(() => world.close());

describe.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('on a %s', (_name, screen) => {
  test('a rule is added, changed, paused and deleted in the table', async () => {
    const page = await openWithAccounts(world, screen, '/reposts?view=table');
    await page.getByText(/No rule yet/).waitFor();
    await addRule(page, 'TikTok', 'Mastodon');
    await page.getByRole('button', { name: /^Open the rule from TikTok/ }).click();
    const panel = page.getByRole('dialog');
    await panel.getByText('The rule has not seen anything yet.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);

    await panel.getByRole('tab', { name: 'Options' }).click();
    await panel.getByRole('textbox', { name: 'Template' }).fill('{caption} {nothing}');
    await panel.getByText(/unknown placeholder/).waitFor();
    await panel.getByRole('textbox', { name: 'Template' }).fill('From {source}');
    await panel.getByRole('textbox', { name: 'Try it with' }).fill('A clip');
    await panel
      .getByRole('region', { name: 'Result on each account' })
      .getByText(/^From /)
      .waitFor();
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('Saved.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);

    await panel.getByRole('button', { name: 'Pause' }).click();
    await panel.getByRole('button', { name: 'Resume' }).waitFor();
    await panel.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/No rule yet/).waitFor();
    expect(world.problems).toEqual([]);
  });
});

test('a rule is drawn, and a loop refused while drawing', async () => {
  const page = await openWithAccounts(world, DESKTOP, '/reposts');
  await draw(page, 'TikTok', 'Mastodon');
  await page.mouse.up();
  await page.getByText(/Rule added: TikTok/).waitFor();
  await draw(page, 'Mastodon', 'TikTok');
  await page.getByText(/would form a loop: Mastodon: .* → TikTok: .* → Mastodon: /).waitFor();
  await page.mouse.up();
  expect(await page.getByRole('button', { name: /^From .*Active/ }).count()).toBe(1);
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole('button', { name: /^From TikTok/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('The rule has not seen anything yet.').waitFor();
  expect(world.problems).toEqual([]);
});

/** Drags an arrow from one account to another, without dropping it. */
async function draw(page: Page, from: string, to: string): Promise<void> {
  const handle = page.locator(`[title^="Draw a rule from ${from}:"]`);
  await handle.waitFor();
  const start = await handle.boundingBox();
  const end = await page
    .locator('.react-flow__node')
    .filter({ has: page.locator(`[title^="Draw a rule from ${to}:"]`) })
    .boundingBox();
  if (!start || !end) throw new Error('An account is not in sight.');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 });
}

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
