/** Repost rules on the real service, in the table and in the picture. */
import { connectAccounts, expect, type Page, test } from './fixtures.ts';
import { addRule, drawRule, storeRule } from './rule-steps.ts';

const panel = (page: Page) => page.getByRole('dialog', { name: 'Rule' });
const arrows = (page: Page) => page.getByRole('button', { name: /^From .*Active/ });

test.beforeEach(({ user }) => connectAccounts(user));

test('a rule is added in the table', { tag: '@layout' }, async ({ page }) => {
  await page.goto('/app/reposts?view=table');
  await expect(page.getByText('There are no rules yet.')).toBeVisible();
  await addRule(page, 'TikTok', 'Mastodon');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: /^Open the rule from TikTok: .* to Mastodon: / }).click();
  await expect(panel(page).getByText('This rule has not seen any posts yet.')).toBeVisible();
});

test('a wrong template is refused while it is typed', async ({ page, user }) => {
  await page.goto(`/app/reposts?view=table&rule=${await storeRule(user, 'tiktok', 'mastodon')}`);
  await panel(page).getByRole('tab', { name: 'Options' }).click();
  await panel(page).getByRole('textbox', { name: 'Template' }).fill('{caption} {nothing}');
  await expect(panel(page).getByText(/unknown placeholder/)).toBeVisible();
  await expect(panel(page).getByRole('textbox', { name: 'Template' })).toHaveAttribute('aria-invalid', 'true');
});

test('a template is tried before it is saved', async ({ page, user }) => {
  await page.goto(`/app/reposts?view=table&rule=${await storeRule(user, 'tiktok', 'mastodon')}`);
  await panel(page).getByRole('tab', { name: 'Options' }).click();
  await panel(page).getByRole('textbox', { name: 'Template' }).fill('{caption} from {source}');
  await panel(page).getByRole('textbox', { name: 'Try it with' }).fill('A clip');
  const result = panel(page).getByRole('region', { name: 'Result on each account' });
  await expect(result.getByText(/^A clip from ./)).toBeVisible();
});

test('saved options survive a reload', async ({ page, user }) => {
  await page.goto(`/app/reposts?view=table&rule=${await storeRule(user, 'tiktok', 'mastodon')}`);
  const template = panel(page).getByRole('textbox', { name: 'Template' });
  await panel(page).getByRole('tab', { name: 'Options' }).click();
  await template.fill('From {source}');
  await panel(page).getByRole('button', { name: 'Save' }).click();
  await expect(panel(page).getByText('Saved.')).toBeVisible();
  await page.reload();
  await panel(page).getByRole('tab', { name: 'Options' }).click();
  await expect(template).toHaveValue('From {source}');
});

test('a pause keeps what is posted meanwhile', async ({ page, user }) => {
  await storeRule(user, 'tiktok', 'mastodon');
  await page.goto('/app/reposts?view=table');
  await page.getByRole('button', { name: /^Pause the rule from TikTok/ }).click();
  const question = page.getByRole('dialog', { name: 'Pause this rule?' });
  await question.getByRole('radio', { name: 'Keep' }).check();
  await question.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(question).toBeHidden();
  await expect(page.getByRole('button', { name: /^Resume the rule from TikTok/ })).toBeVisible();
  expect((await user.get('/reposts')).body.data).toMatchObject([{ isPaused: true, between: 'keep' }]);
});

test('a deleted rule leaves the table', async ({ page, user }) => {
  await page.goto(`/app/reposts?view=table&rule=${await storeRule(user, 'tiktok', 'mastodon')}`);
  await panel(page).getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete this rule?' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('There are no rules yet.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/\/app\/reposts\?view=table$/);
});

test('going back asks before changes are lost', async ({ page, user }) => {
  await storeRule(user, 'tiktok', 'mastodon');
  await page.goto('/app/reposts?view=table');
  await page.getByRole('button', { name: /^Open the rule from TikTok/ }).click();
  await panel(page).getByRole('tab', { name: 'Options' }).click();
  const perDay = panel(page).getByRole('textbox', { name: 'Reposts per day' });
  await perDay.fill('5');
  await expect(panel(page).getByText('You have unsaved changes.')).toBeVisible();
  await page.goBack();
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toHaveCount(0);
  await expect(perDay).toHaveValue('5');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(panel(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/app\/reposts\?view=table$/);
});

test.describe('in the picture', () => {
  test('a rule is drawn from account to account', { tag: '@layout' }, async ({ page }) => {
    await page.goto('/app/reposts?view=picture');
    await drawRule(page, 'TikTok', 'Mastodon');
    await page.mouse.up();
    await expect(page.getByText(/^Rule added: TikTok: .* → Mastodon: /)).toBeVisible();
    await expect(arrows(page)).toHaveCount(1);
    await expect(page.locator('.react-flow__edge-path').first()).toHaveCSS('stroke', /^rgb/);
    await page.getByRole('status').getByRole('button', { name: 'Options' }).click();
    await expect(panel(page).getByRole('tab', { name: 'Options', selected: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/app\/reposts\?view=picture$/);
  });

  test('a loop is refused while it is drawn', { tag: '@layout' }, async ({ page, user }) => {
    await storeRule(user, 'tiktok', 'mastodon');
    await storeRule(user, 'tiktok', 'bluesky');
    const added: string[] = [];
    page.on('request', (request) => request.url().endsWith('/repost/add') && added.push(request.url()));
    await page.goto('/app/reposts?view=picture');
    await expect(arrows(page)).toHaveCount(2);
    const inLoop = page.locator('.react-flow__edge-path[data-loop]');
    await expect(inLoop).toHaveCount(0);
    await drawRule(page, 'Mastodon', 'TikTok');
    await expect(inLoop).toHaveCount(1);
    await expect(page.getByRole('button', { name: /to Mastodon: / }).locator('[data-loop]')).toHaveCount(1);
    const notice = page.getByRole('alert').filter({ hasText: 'this would be a loop' });
    await expect(notice).toHaveText(/would form a loop: Mastodon: .* → TikTok: .* → Mastodon: /);
    await page.mouse.up();
    // A notice that stays can be closed.
    await notice.getByRole('button', { name: 'Close' }).click();
    await expect(notice).toHaveCount(0);
    await expect(inLoop).toHaveCount(0);
    await expect(arrows(page)).toHaveCount(2);
    expect(added).toEqual([]);
  });

  test('a shared destination is marked', async ({ page, user }) => {
    await storeRule(user, 'tiktok', 'mastodon');
    await storeRule(user, 'youtube', 'mastodon');
    await page.goto('/app/reposts?view=picture');
    const mark = page.locator('.react-flow__node').getByText('2', { exact: true });
    await mark.hover();
    await expect(page.getByRole('tooltip')).toHaveText(/bring videos here from 2 accounts, and the same video once/);
    await page.getByRole('button', { name: /^From TikTok: .* to Mastodon: / }).press('Enter');
    await expect(panel(page).getByText(/^Mastodon: .* also gets videos from YouTube: /)).toBeVisible();
  });

  test('Enter on an arrow opens its rule', async ({ page, user }) => {
    await storeRule(user, 'tiktok', 'mastodon');
    await page.goto('/app/reposts?view=picture');
    await page.getByRole('button', { name: /^From TikTok: .* to Mastodon: / }).press('Enter');
    await expect(panel(page).getByText('This rule has not seen any posts yet.')).toBeVisible();
  });
});
