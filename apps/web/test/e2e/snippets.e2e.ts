/** Snippets: texts that are saved once and inserted into captions on every device. */
import { accountCard, openOptions } from './compose-steps.ts';
import { connectAccounts, expect, type Page, test } from './fixtures.ts';

async function openList(page: Page, within = page.getByRole('main')) {
  await within.getByRole('button', { name: 'Snippets' }).click();
  const list = page.getByRole('dialog', { name: 'Snippets', exact: true });
  await expect(list).toBeVisible();
  return list;
}

test('a snippet is saved once and inserted on another device', async ({ page, user, open }) => {
  await connectAccounts(user);
  await page.goto('/app/');
  await page.getByLabel('Description').fill('#travel #roadtrip');
  const list = await openList(page);
  await list.getByRole('button', { name: 'New snippet' }).click();
  await list.getByLabel('Name').fill('Travel tags');
  await list.getByRole('button', { name: 'Save snippet' }).click();
  await expect(list.getByRole('button', { name: /^Travel tags/ })).toBeVisible();

  const phone = await open({ user });
  await phone.goto('/app/');
  const description = phone.getByLabel('Description');
  await description.fill('Day one');
  const there = await openList(phone);
  await there.getByRole('button', { name: /^Travel tags/ }).click();
  await expect(description).toHaveValue('Day one #travel #roadtrip');
  await expect(description).toBeFocused();
  await phone.keyboard.type(' #van');
  await expect(description).toHaveValue('Day one #travel #roadtrip #van');
});

test('a snippet goes into the caption of one account', async ({ page, user }) => {
  await connectAccounts(user);
  const saved = await user.call('PUT', '/snippets', { json: { name: 'Credits', text: 'Filmed by Ana' } });
  expect(saved.status).toBe(200);
  await page.goto('/app/');
  await page.getByLabel('Description').fill('Day one');
  await accountCard(page, 'Mastodon').check();
  const options = await openOptions(page, 'Mastodon');
  await options.getByRole('switch').first().click();
  const list = await openList(page, options);
  await list.getByRole('button', { name: /^Credits/ }).click();
  await expect(options.getByLabel('Caption', { exact: true })).toHaveValue('Day one Filmed by Ana');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Day one');
});
