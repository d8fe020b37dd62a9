/** What the page does without a connection, and when a part of it cannot be loaded. */
import { accountCard } from './compose-steps.ts';
import { connectAccounts, expect, type Page, type SessionUser, test } from './fixtures.ts';
import { signOut } from './session-steps.ts';

const alertOf = (page: Page) => page.getByRole('alert');
const descriptionOf = (page: Page) => page.getByLabel('Description');
const retry = (page: Page) => page.getByRole('button', { name: 'Try again' });

/** Opens Compose, and waits until nothing of it is loading: what does not arrive would fail when the page goes offline. */
async function openCompose(page: Page, user: SessionUser): Promise<void> {
  await connectAccounts(user);
  await page.goto('/app/');
  await expect(accountCard(page, 'Mastodon')).toBeVisible();
}

test('an unvisited page loads after a retry', async ({ page, user }) => {
  await openCompose(page, user);
  await descriptionOf(page).fill('Typed before');
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Reposts', exact: true }).press('Enter');
  await expect(alertOf(page).getByText('No connection')).toBeVisible();
  await page.context().setOffline(false);
  await retry(page).click();
  await expect(page.getByRole('heading', { name: 'Reposts', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Compose', exact: true }).click();
  await expect(descriptionOf(page)).toHaveValue('Typed before');
});

test('an action that failed offline is not done later', async ({ page, user }) => {
  await connectAccounts(user);
  await page.goto('/app/accounts');
  await page
    .getByRole('article', { name: /^Mastodon:/ })
    .getByRole('button', { name: 'Details' })
    .click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  const dialog = page.getByRole('dialog', { name: /^Disconnect/ });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method())) sent.push(request.method());
  });
  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await expect(dialog.getByRole('alert').getByText('No connection')).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep' }).click();
  expect(sent).toEqual(['DELETE']);
  const isRead = page.waitForResponse((response) => response.url().endsWith('/platform/platforms') && response.ok());
  await page.context().setOffline(false);
  await isRead;
  expect(sent).toEqual(['DELETE']);
  await expect(page.getByText('12 connected accounts')).toBeVisible();
});

test('a failed sign-out shows an error and can be repeated', async ({ page, user }) => {
  await openCompose(page, user);
  await page.getByRole('button', { name: 'User menu' }).click();
  const item = page.getByRole('menuitem', { name: 'Sign out' });
  await expect(item).toBeVisible();
  await page.context().setOffline(true);
  await item.click();
  const dialog = page.getByRole('dialog', { name: 'Sign out' });
  await expect(dialog.getByRole('alert').getByText('No connection')).toBeVisible();
  await page.context().setOffline(false);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await signOut(page);
});

test.describe('a part that cannot be loaded', () => {
  test('shows an error in place and loads after a retry', async ({ page, user }) => {
    await openCompose(page, user);
    await descriptionOf(page).fill('Typed before');
    await page.context().setOffline(true);
    await page.getByRole('radio', { name: 'Later' }).check();
    await expect(alertOf(page).getByText('No connection')).toBeVisible();
    await page.context().setOffline(false);
    await retry(page).click();
    await expect(page.getByRole('group', { name: 'Suggested times' })).toBeVisible();
    await expect(alertOf(page)).toHaveCount(0);
    await expect(descriptionOf(page)).toHaveValue('Typed before');
  });

  for (const { button, opened } of [
    { button: 'User menu', opened: { role: 'menuitem', name: 'Sign out' } },
    { button: 'Notifications', opened: { role: 'dialog', name: 'Notifications' } },
  ] as const)
    test(`shows an error above the page: ${button}`, { tag: '@layout' }, async ({ page, user }) => {
      await openCompose(page, user);
      await page.context().setOffline(true);
      await page.getByRole('button', { name: button, exact: true }).click();
      await expect(alertOf(page).getByText('No connection')).toBeVisible();
      await page.context().setOffline(false);
      await retry(page).click();
      await expect(page.getByRole(opened.role, { name: opened.name })).toBeVisible();
    });

  test('offers to reload if the service has no such part', async ({ page, user }) => {
    const chunk = /\/later-field-[^/]*\.js/;
    await openCompose(page, user);
    await descriptionOf(page).fill('Typed before');
    await page.route(chunk, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('radio', { name: 'Later' }).check();
    await expect(alertOf(page).getByText('This part could not be loaded')).toBeVisible();
    await page.unroute(chunk);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await expect(page.getByRole('group', { name: 'Suggested times' })).toBeVisible();
    await expect(descriptionOf(page)).toHaveValue('Typed before');
  });
});
