/** Notifications as they arrive, their settings, and the language that is stored with the user. */
import { type AccountRow, addAccount } from '../../../../packages/server/test/harness/rows.ts';
import { endAccess, failPost } from '../../../../packages/server/test/notifications/world.ts';
import { expect, type Page, type SessionUser, type TestService, test } from './fixtures.ts';

const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const list = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

const addAccounts = ({ db }: TestService, { userId }: SessionUser): Promise<AccountRow[]> =>
  Promise.all([
    addAccount(db, userId, { platform: 'tiktok', username: 'nora' }),
    addAccount(db, userId, { platform: 'mastodon', username: 'nora@social.example' }),
  ]);

/** @returns the id of a post that failed on these accounts */
const fail = ({ db }: TestService, { userId }: SessionUser, accounts: AccountRow[], description: string) =>
  failPost(db, userId, accounts, { description, code: 'video_rejected' });

test('a failed post is announced without a reload', async ({ page, service, user }) => {
  const accounts = await addAccounts(service, user);
  await page.goto('/app/posts');
  await expect(bell(page, 'Notifications')).toBeVisible();
  await fail(service, user, accounts, 'A walk through Rome');
  await expect(bell(page, 'Notifications, 1 unread')).toBeVisible();
});

test('an opened notification shows its post and is read', async ({ page, service, user }) => {
  const id = await fail(service, user, await addAccounts(service, user), 'A walk through Rome');
  await page.goto('/app/posts');
  await bell(page, 'Notifications, 1 unread').click();
  await expect(list(page).getByText('TikTok (Name of nora): The video was rejected')).toBeVisible();
  await list(page)
    .getByRole('link', { name: /A walk through Rome/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/app/posts/${id}$`));
  await expect(page.getByRole('heading', { name: 'Not posted' })).toBeVisible();
  await expect(list(page)).toBeHidden();
  await expect(bell(page, 'Notifications')).toBeVisible();
  expect((await user.get('/dashboard/notifications/unread')).body.data.unread).toBe(0);
});

test('notifications of all kinds fit the screen', { tag: '@layout' }, async ({ page, service, user }) => {
  const accounts = await addAccounts(service, user);
  await fail(service, user, accounts, 'x'.repeat(300));
  for (const account of accounts) await endAccess(service.db, account);
  await service.db.execute(
    `insert into notification (user_id, kind, account_id, occurrence, moment)
     select $1, kind, $2, '1', timestamptz '2030-01-31 12:00Z' from unnest('{access_ends,source_unread}'::text[]) kind`,
    [user.userId, accounts[0]?.id],
  );
  await page.goto('/app/accounts');
  await bell(page, 'Notifications, 5 unread').click();
  await expect(list(page).getByRole('listitem')).toHaveCount(5);
  const longest = list(page).getByRole('link', { name: /xxx/ });
  await longest.scrollIntoViewIfNeeded();
  await expect(longest).toBeInViewport({ ratio: 0.9 });
  const overflow = () => list(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
  await expect.poll(overflow).toBe(0);
});

test('a kind that is turned off is not shown', async ({ page, service, user }) => {
  const accounts = await addAccounts(service, user);
  await page.goto('/app/settings');
  const failedPosts = page.getByRole('group', { name: 'Failed posts' });
  await failedPosts.getByRole('switch', { name: 'In Reelay' }).click();
  await expect(failedPosts.getByRole('switch', { name: 'In Reelay' })).not.toBeChecked();
  const isShown = async () => (await user.get('/user/notifications')).body.data.kinds.post_failed.page;
  await expect.poll(isShown).toBe(false);
  await fail(service, user, accounts, 'A walk through Rome');
  for (const account of accounts) await endAccess(service.db, account);
  await bell(page, 'Notifications, 2 unread').click();
  await expect(list(page).getByRole('listitem')).toHaveCount(2);
  await expect(list(page).getByText(/needs to be reconnected/)).toHaveCount(2);
});

test.describe('the language', () => {
  test('is saved from the settings', async ({ page, user }) => {
    await page.goto('/app/settings');
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await expect(page.getByRole('heading', { name: 'Einstellungen', level: 1 })).toBeVisible();
    await expect.poll(async () => (await user.get('/user')).body.data.language).toBe('de');
  });

  test('applies to every browser of the user', async ({ page, service, user }) => {
    await user.call('PATCH', '/user', { json: { language: 'de' } });
    await fail(service, user, await addAccounts(service, user), 'Ein Abend in Rom');
    await page.goto('/app/settings');
    await expect(page.getByRole('heading', { name: 'Einstellungen', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Benachrichtigungen, 1 ungelesen' }).click();
    await expect(page.getByText('Ein Beitrag ist auf 2 von 2 Konten fehlgeschlagen')).toBeVisible();
  });

  test('is saved from the menu', async ({ page, user }) => {
    await page.goto('/app/settings');
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await expect(page.getByRole('heading', { name: 'Einstellungen', level: 1 })).toBeVisible();
    await expect.poll(async () => (await user.get('/user')).body.data.language).toBe('de');
  });
});
