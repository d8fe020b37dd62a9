/** Adding rules: in the picture, in the dialog, and without the page. */
import type { Page } from '@playwright/test';
import type { SessionUser } from './fixtures.ts';

/** Drags an arrow from one account to another, without dropping it. @param from names of platforms */
export async function drawRule(page: Page, from: string, to: string): Promise<void> {
  const handle = page.locator(`[title^="Draw a rule from ${from}:"]`);
  // Waits until it stands still.
  await handle.hover();
  await page.mouse.down();
  const end = await page
    .locator('.react-flow__node')
    .filter({ has: page.locator(`[title^="Draw a rule from ${to}:"]`) })
    .boundingBox();
  if (!end) throw new Error('An account is not in sight.');
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 });
}

/** Fills the dialog for a new rule, without saving it. @param from names of platforms */
export async function fillRule(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'From' }).fill(from);
  await page.getByRole('option', { name: new RegExp(`^${from}:`) }).click();
  await dialog.getByRole('combobox', { name: 'To' }).fill(to);
  await page.getByRole('option', { name: new RegExp(`^${to}:`) }).click();
  await page.keyboard.press('Tab');
}

/** Adds a rule in the dialog. @param from names of platforms */
export async function addRule(page: Page, from: string, to: string): Promise<void> {
  await fillRule(page, from, to);
  await page.getByRole('dialog').getByRole('button', { name: 'Add rule' }).click();
}

/** Stores a rule between two accounts of a user. Returns its id. @param from platforms, as in `tiktok` */
export async function storeRule(user: SessionUser, from: string, to: string): Promise<string> {
  const accounts: { id: string; platform: string }[] = (await user.get('/platform/platforms')).body.data;
  const idOf = (platform: string) => accounts.find((account) => account.platform === platform)?.id;
  const { status, body } = await user.post('/repost/add', { from: idOf(from), to: [idOf(to)] });
  if (status !== 200) throw new Error(`The rule was not added: ${JSON.stringify(body)}`);
  return body.id;
}
