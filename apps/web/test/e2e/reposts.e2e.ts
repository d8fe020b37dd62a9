import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DESKTOP, type E2eWorld, openWithAccounts, SCREENS, seriousProblems, startE2eWorld } from './browser.ts';
import { addRule, drawRule } from './rule-steps.ts';

let world: E2eWorld;
beforeAll(async () => {
  world = await startE2eWorld();
});
afterEach(() => world.closePages());
afterAll(() => world.close());

describe.each(SCREENS)('on a %s', (_name, screen) => {
  test('a rule is added, changed, paused and deleted in the table', async () => {
    const page = await openWithAccounts(world, screen, '/reposts?view=table');
    await page.getByText('There are no rules yet.').waitFor();
    await addRule(page, 'TikTok', 'Mastodon');
    await page.getByRole('button', { name: /^Open the rule from TikTok/ }).click();
    const panel = page.getByRole('dialog');
    await panel.getByText('This rule has not seen any posts yet.').waitFor();
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
    await page.getByText('There are no rules yet.').waitFor();
    expect(world.problems).toEqual([]);
  });
});

test('unsaved changes of a rule survive tabs and are not lost silently', async () => {
  const page = await openWithAccounts(world, DESKTOP, '/reposts?view=table');
  await addRule(page, 'TikTok', 'Mastodon');
  await page.getByRole('button', { name: /^Open the rule from TikTok/ }).click();
  const panel = page.getByRole('dialog', { name: 'Rule' });
  const tab = (name: string) => panel.getByRole('tab', { name }).click();
  await tab('Older posts');
  await panel.getByRole('textbox', { name: 'Posts per day' }).fill('5');
  await tab('Options');
  await panel.getByText('You have unsaved changes.').waitFor();
  await tab('Older posts');
  expect(await panel.getByRole('textbox', { name: 'Posts per day' }).inputValue()).toBe('5');
  await page.goBack();
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  await question.getByRole('button', { name: 'Keep' }).click();
  await question.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await panel.waitFor({ state: 'detached' });
  expect(world.problems).toEqual([]);
});

test('a rule is drawn, and a loop refused while drawing', async () => {
  const page = await openWithAccounts(world, DESKTOP, '/reposts');
  await drawRule(page, 'TikTok', 'Mastodon');
  await page.mouse.up();
  await page.getByText(/Rule added: TikTok/).waitFor();
  await drawRule(page, 'Mastodon', 'TikTok');
  await page.getByText(/would form a loop: Mastodon: .* → TikTok: .* → Mastodon: /).waitFor();
  await page.mouse.up();
  expect(await page.getByRole('button', { name: /^From .*Active/ }).count()).toBe(1);
  const arrow = page.locator('.react-flow__edge-path').first();
  expect(await arrow.evaluate((each) => getComputedStyle(each).stroke)).toMatch(/^rgb/);
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole('button', { name: /^From TikTok/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('This rule has not seen any posts yet.').waitFor();
  expect(world.problems).toEqual([]);
});
