/** The API key of a user: a key works until it is replaced or revoked. */
import { expect, type Page, type SessionUser, test } from './fixtures.ts';

/** What the service answers to a key: 200, or 401. */
async function statusOf(url: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${url}/api/v1/platform/platforms`, { headers })).status;
}

async function createKey(user: SessionUser): Promise<string> {
  const { status, body } = await user.post('/user/api-key/generate');
  expect(status).toBe(200);
  return body.data;
}

/** The new key, when it is shown. */
const shownKey = async (page: Page) => (await page.getByTestId('key').textContent()) ?? '';

test('a new key works and is shown only once', { tag: '@layout' }, async ({ page, service }) => {
  await page.goto('/app/settings');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = await shownKey(page);
  expect(await statusOf(service.url, key)).toBe(200);
  await page.reload();
  await expect(page.getByText(/is active/)).toBeVisible();
  expect(await page.content()).not.toContain(key);
});

test('a replaced key stops working', async ({ page, user, service }) => {
  const replaced = await createKey(user);
  expect(await statusOf(service.url, replaced)).toBe(200);
  await page.goto('/app/settings');
  await page.getByRole('button', { name: 'Replace key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
  expect(await statusOf(service.url, await shownKey(page))).toBe(200);
  expect(await statusOf(service.url, replaced)).toBe(401);
});

test('a revoked key stops working', async ({ page, user, service }) => {
  const revoked = await createKey(user);
  expect(await statusOf(service.url, revoked)).toBe(200);
  await page.goto('/app/settings');
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText(/is revoked/)).toBeVisible();
  expect(await statusOf(service.url, revoked)).toBe(401);
});
