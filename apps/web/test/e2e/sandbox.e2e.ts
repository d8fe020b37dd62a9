/** The page of the simulated platforms, for the operator: posts as on phones, faults and reset. */
import { readFile } from 'node:fs/promises';
import { connectAccounts, expect, type Page, type SessionUser, test } from './fixtures.ts';
import { storeRule } from './rule-steps.ts';

const SAMPLE = new URL('../../public/samples/sunrise.mp4', import.meta.url);

// The simulated platforms are the same for all users of a service. Its first user is the operator.
test.use({ serviceConfig: {} });
test.beforeEach(({ user }) => connectAccounts(user));

/** Fills the dialog and sends it, as the connected account of the platform. */
async function postFromPhone(page: Page, platform: string, caption: string): Promise<void> {
  await page.getByRole('button', { name: 'Post from the phone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Post from the phone' });
  await dialog.getByRole('combobox', { name: 'Platform' }).fill(platform);
  await page.getByRole('option', { name: platform }).click();
  await dialog.getByRole('textbox', { name: 'Caption' }).fill(caption);
  await dialog.getByRole('button', { name: 'Post', exact: true }).click();
  // The dialog contains the caption too.
  await expect(dialog).toHaveCount(0);
}

/** The same without the page. @param platform as in `mastodon` */
async function storePost(operator: SessionUser, platform: string, caption: string): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ platform, username: 'nora', caption })) form.set(name, value);
  form.set('video', new Blob([await readFile(SAMPLE)], { type: 'video/mp4' }), 'sunrise.mp4');
  const { status } = await operator.call('POST', '/operator/sandbox/phone', { body: form });
  expect(status).toBe(200);
}

const posts = (page: Page) => page.getByRole('article');

test('a post from the phone appears', { tag: '@layout' }, async ({ page }) => {
  await page.goto('/app/sandbox');
  await expect(page.getByText('Nothing is published here yet.')).toBeVisible();
  await postFromPhone(page, 'Pinterest', 'Good morning');
  await expect(posts(page)).toHaveCount(1);
  await expect(page.getByRole('article', { name: /^Pinterest: / })).toContainText('Good morning');
});

test('a video plays on demand, one at a time', async ({ page, user }) => {
  await storePost(user, 'mastodon', 'Waves');
  await storePost(user, 'pinterest', 'Good morning');
  await page.goto('/app/sandbox');
  const videoOf = (platform: string) => {
    const post = page.getByRole('article', { name: `${platform}: nora` });
    return { play: post.getByRole('button', { name: /^Play/ }), video: post.locator('video') };
  };
  const [first, second] = [videoOf('Mastodon'), videoOf('Pinterest')];
  await expect(first.video).toHaveJSProperty('paused', true);
  await first.play.click();
  await expect(first.video).toHaveJSProperty('paused', false);
  await second.play.click();
  await expect(second.video).toHaveJSProperty('paused', false);
  await expect(first.video).toHaveJSProperty('paused', true);
});

test('posts are filtered by platform', async ({ page, user }) => {
  await storePost(user, 'mastodon', 'Waves');
  await storePost(user, 'pinterest', 'Good morning');
  await page.goto('/app/sandbox');
  await expect(posts(page)).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Platform' }).click();
  await page.getByRole('option', { name: 'Pinterest' }).click();
  await expect(posts(page)).toHaveCount(1);
  await expect(posts(page)).toHaveAccessibleName('Pinterest: nora');
});

test('a rule reposts a post from the phone', async ({ page, user }) => {
  await storeRule(user, 'mastodon', 'bluesky');
  await page.goto('/app/sandbox');
  await postFromPhone(page, 'Mastodon', 'Seen by a rule');
  await page.goto('/app/posts');
  const post = page.getByRole('listitem').filter({ hasText: 'Seen by a rule' });
  await expect(post.getByText('Posted')).toBeVisible();
  await page.goto('/app/sandbox');
  const copies = posts(page).filter({ hasText: 'Seen by a rule' });
  await expect(copies).toHaveCount(2);
  await expect(copies.filter({ hasText: 'Bluesky' })).toBeVisible();
});

test.describe('a fault', () => {
  const statusOf = async (url: string, path: string) => (await fetch(`${url}/sandbox/${path}`)).status;

  test('is switched on for one platform', { tag: '@layout' }, async ({ page, service }) => {
    await page.goto('/app/sandbox');
    await page.getByRole('button', { name: 'Faults' }).click();
    const drawer = page.getByRole('dialog', { name: 'Faults' });
    await drawer.getByRole('combobox', { name: 'Mastodon: Fault' }).click();
    await page.getByRole('option', { name: 'Server error' }).click();
    await expect(drawer.getByRole('combobox', { name: 'Mastodon: Share of the requests' })).toBeEnabled();
    expect(await statusOf(service.url, 'mastodon/api/v1/instance')).toBeGreaterThanOrEqual(500);
    await page.keyboard.press('Escape');
    const notice = page.getByRole('status').filter({ hasText: '1 fault is on' });
    await expect(notice).toContainText('Mastodon: Server error, 100% of the requests');
  });

  test('is switched off with all others', async ({ page, user, service }) => {
    const faults = ['mastodon', 'bluesky'].map((platform) => ({ platform, kind: 'server-error', share: 1 }));
    const { status } = await user.call('PUT', '/operator/sandbox/faults', { json: { faults } });
    expect(status).toBe(200);
    expect(await statusOf(service.url, 'mastodon/api/v1/instance')).toBeGreaterThanOrEqual(500);
    await page.goto('/app/sandbox');
    const notice = page.getByRole('status').filter({ hasText: '2 faults are on' });
    await notice.getByRole('button', { name: 'Faults' }).click();
    await page.getByRole('button', { name: 'Switch all off' }).click();
    await expect(page.getByRole('button', { name: 'Switch all off' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(page.getByText(/faults? (is|are) on/)).toHaveCount(0);
    expect(await statusOf(service.url, 'mastodon/api/v1/instance')).toBe(200);
  });
});

test('a reset asks first and deletes all posts', async ({ page, user }) => {
  await storePost(user, 'mastodon', 'Waves');
  await page.goto('/app/sandbox');
  await page.getByRole('button', { name: 'Reset' }).click();
  const question = page.getByRole('dialog', { name: 'Reset the sandbox?' });
  await expect(question).toContainText('Connected simulated accounts lose their access');
  await expect(posts(page)).toHaveCount(1);
  await question.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByText('Nothing is published here yet.')).toBeVisible();
  await expect(posts(page)).toHaveCount(0);
});
