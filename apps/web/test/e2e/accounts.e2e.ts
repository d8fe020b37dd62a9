/** Connected accounts on the real service: their details, reconnecting and disconnecting. */
import { connectAccounts, expect, type Page, test } from './fixtures.ts';
import { inHours, post } from './post-steps.ts';

const accountOf = (page: Page, platform: string) => page.getByRole('article', { name: new RegExp(`^${platform}:`) });
const details = (page: Page) => page.getByRole('dialog', { name: 'Details' });

test('details show what the platform says', async ({ page, user }) => {
  await connectAccounts(user);
  await page.goto('/app/accounts');
  await accountOf(page, 'Threads').getByRole('button', { name: 'Details' }).click();
  await expect(details(page).getByText('250 posts of 250 left')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(details(page)).toBeHidden();
  await accountOf(page, 'LinkedIn').getByRole('button', { name: 'Details' }).click();
  await expect(details(page).getByText(/^Reconnect before/)).toBeVisible();
});

test('details are part of the address', async ({ page, user }) => {
  await connectAccounts(user);
  await page.goto('/app/accounts');
  await accountOf(page, 'Threads').getByRole('button', { name: 'Details' }).click();
  await expect(page).toHaveURL(/\?account=/);
  await page.reload();
  await expect(details(page).getByText('250 posts of 250 left')).toBeVisible();
  await page.goBack();
  await expect(details(page)).toBeHidden();
});

test('an expired account is reconnected at its server', { tag: '@layout' }, async ({ page, user, service }) => {
  await connectAccounts(user);
  await service.db.execute(`update account set status = 'EXPIRED' where platform = 'mastodon' and user_id = $1`, [
    user.userId,
  ]);
  await page.goto('/app/accounts');
  const account = accountOf(page, 'Mastodon');
  await expect(account.getByText('Access expired')).toBeVisible();
  await account.getByRole('button', { name: 'Reconnect' }).click();
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Server' })).toBeVisible();
});

test('a platform gets a second simulated account', { tag: '@layout' }, async ({ page, user }) => {
  await connectAccounts(user);
  await page.goto('/app/accounts');
  await page.getByRole('button', { name: 'Connect another simulated account' }).click();
  await page.getByRole('menuitem', { name: 'Instagram' }).click();
  await expect(page.getByRole('status').getByText(/^Connected: /)).toBeVisible();
  await expect(accountOf(page, 'Instagram')).toHaveCount(2);
});

test('an account is reconnected where a post failed', async ({ page, user, service }) => {
  await connectAccounts(user);
  const id = await post(service, user, 'Reconnect me', ['pinterest'], { at: inHours(2) });
  const lost = `update account set status = 'REVOKED' where platform = 'pinterest' and user_id = $1 returning username, display_name as name`;
  const [account] = await service.db.query<{ username: string; name: string }>(lost, [user.userId]);
  await service.db.execute(
    `update target set state = 'failed', code = 'reconnect_required', due_at = null, settled_at = app_now()
     where post_id = $1`,
    [id],
  );
  await page.goto(`/app/posts/${id}`);
  await page.getByRole('button', { name: `Reconnect Pinterest (${account?.name})` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reconnect' }).click();
  await page.getByRole('button', { name: 'Continue to Pinterest' }).click();
  await page.getByRole('textbox').fill(account?.username ?? '');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('link', { name: 'To your accounts in Reelay' }).click();
  await expect(page.getByRole('status').getByText('The post is being published on it.')).toBeVisible();
  await page.getByRole('link', { name: 'Show the post' }).click();
  await expect(page.getByRole('heading', { name: 'Scheduled' })).toBeVisible();
});

test('a disconnected account leaves the list', { tag: '@layout' }, async ({ page, user }) => {
  await connectAccounts(user);
  await page.goto('/app/accounts');
  await accountOf(page, 'Mastodon').getByRole('button', { name: 'Details' }).click();
  await details(page).getByRole('button', { name: 'Disconnect' }).click();
  const dialog = page.getByRole('dialog', { name: /^Disconnect / });
  await expect(dialog.getByText(/No scheduled post will fail on this account/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('11 connected accounts')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(accountOf(page, 'Mastodon')).toHaveCount(0);
});
