/** The pages of posts: live updates between tabs, and what can be done with a post. */
import type { Post } from '@reelay/sdk';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { type BrokenLine, openLine } from '../../../../packages/server/test/uploads/broken-line.ts';
import { test as base, connectAccounts, expect, type Page, type Request } from './fixtures.ts';
import { holdResponse } from './hold-response.ts';
import { inHours, post } from './post-steps.ts';
import { storeRule } from './rule-steps.ts';

type PostTarget = Post['targets'][number];

const test = base.extend<{ line: BrokenLine }>({
  line: async ({ service }, use) => {
    const line = await openLine();
    line.leadTo(service.url);
    await use(line);
    await line.close();
  },
});

test.beforeEach(({ user }) => connectAccounts(user));

const empty = (page: Page) => page.getByText('Nothing has been posted yet.');
const item = (page: Page, description: string) => page.getByRole('listitem').filter({ hasText: description });
const posted = (page: Page, description: string) => item(page, description).getByText('Posted');

/** Opens the posts, which are none, in this tab and another one. @returns the other one */
async function openTwoTabs(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  for (const each of [page, other]) {
    await each.goto('/app/posts');
    await expect(empty(each)).toBeVisible();
  }
  return other;
}

for (const [what, path] of [
  ['address', 'nothing'],
  ['post', 'posts/01a20a0e-3127-731f-8cb1-7f6ab64f2d93'],
] as const)
  test(`an unknown ${what} leads to the start page`, async ({ page }) => {
    await page.goto(`/app/${path}`);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  });

test('a visit without connection can be repeated', async ({ page }) => {
  await page.route('**/api/**', (route) => route.abort());
  await page.goto('/app/posts');
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible();
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(empty(page)).toBeVisible();
});

test.describe('live updates', () => {
  test('reach two tabs by one stream', async ({ page, service, user }) => {
    const streams = new Set<Request>();
    const context = page.context();
    context.on('request', (request) => request.url().endsWith('/api/v1/events') && streams.add(request));
    context.on('requestfailed', (request) => streams.delete(request));
    context.on('requestfinished', (request) => streams.delete(request));
    const other = await openTwoTabs(page);
    await post(service, user, 'From another program', ['tiktok']);
    await expect(posted(page, 'From another program')).toBeVisible();
    await expect(posted(other, 'From another program')).toBeVisible();
    // The second tab had opened its own, until it knew of the first.
    await expect.poll(() => streams.size).toBe(1);
  });

  test('reach the tab that remains', async ({ page, service, user }) => {
    const other = await openTwoTabs(page);
    await page.close();
    await post(service, user, 'Later', ['tiktok']);
    await expect(posted(other, 'Later')).toBeVisible();
  });

  test('include a change made while a second tab loads', async ({ page, service, user }) => {
    const id = await post(service, user, 'Before', ['mastodon'], { at: inHours(48) });
    const connected = page.waitForResponse('**/api/v1/events');
    await page.goto('/app/posts');
    await expect(item(page, 'Before')).toBeVisible();
    await connected;
    const other = await page.context().newPage();
    const held = await holdResponse(other, `**/api/v1/**/${id}`);
    await other.goto(`/app/posts/${id}`);
    await held.isRead;
    await user.call('PATCH', `/post/${id}`, { json: { description: 'After' } });
    // The event has reached the first tab, and the second one does not listen yet.
    await expect(item(page, 'After')).toBeVisible();
    held.release();
    await expect(other.getByText('After', { exact: true })).toBeVisible();
  });

  test('resume after a lost connection, which is announced', async ({ open, service, user, line }) => {
    const page = await open({ user, url: line.url });
    const connected = page.waitForResponse('**/api/v1/events');
    await page.goto('/app/posts');
    await expect(empty(page)).toBeVisible();
    await connected;
    line.cut();
    const notice = page.getByRole('status').getByText('Connection lost');
    await expect(notice).toBeVisible();
    await post(service, user, 'Meanwhile', ['tiktok']);
    line.leadTo(service.url);
    await expect(item(page, 'Meanwhile')).toBeVisible();
    await expect(notice).toBeHidden();
  });

  test('fall back to polling if their stream is refused', async ({ page, service, user }) => {
    await page.route('**/api/v1/events', (route) => route.abort());
    await page.goto('/app/posts');
    await expect(page.getByText('Connection lost')).toBeVisible();
    await post(service, user, 'Polled', ['tiktok']);
    await expect(posted(page, 'Polled')).toBeVisible();
  });
});

test('signing out in one tab signs out the others', async ({ page }) => {
  const other = await openTwoTabs(page);
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(other.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('a failed account can be retried', async ({ page, service, user }) => {
  const id = await post(service, user, 'Too much #sandbox-reject', ['tiktok']);
  await page.goto(`/app/posts/${id}`);
  await expect(page.getByText('0 of 1 posted, 1 failed')).toBeVisible();
  await page.getByRole('button', { name: 'What happened' }).click();
  await page.getByRole('button', { name: 'Retry' }).click();
  // Stays in the timeline; "Posting …" may be over before it is seen.
  await expect(page.getByText('Retry requested.')).toBeVisible();
});

test('a post plays its video until that is removed', async ({ page, service, user }) => {
  const id = await post(service, user, 'Watch me', ['mastodon']);
  await page.goto(`/app/posts/${id}`);
  await page.getByRole('button', { name: 'Play video' }).click();
  const dialog = page.getByRole('dialog', { name: 'Video' });
  const position = () => dialog.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
  await expect.poll(position).toBeGreaterThan(0.2);
  await service.db.execute(`update media set state = 'gone' where user_id = $1`, [user.userId]);
  // The page keeps what it has loaded.
  await page.reload();
  await page.getByRole('button', { name: 'Play video' }).click();
  await expect(dialog.getByText('The video cannot be shown.')).toBeVisible();
});

test('a video that the browser cannot play is shown small', async ({ page, service, user }) => {
  const id = await post(service, user, 'An old camera', ['mastodon'], { video: await makeVideo({ extension: 'avi' }) });
  await page.goto(`/app/posts/${id}`);
  await page.getByRole('button', { name: 'Play video' }).click();
  const played = page.getByRole('dialog', { name: 'Video' }).locator('video');
  await expect.poll(() => played.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.2);
  await expect(played).toHaveAttribute('src', `/api/v1/dashboard/posts/${id}/preview`);
});

test('reposts are below the post that they repost', { tag: '@layout' }, async ({ page, service, user }) => {
  await storeRule(user, 'mastodon', 'bluesky');
  await storeRule(user, 'bluesky', 'telegram');
  await post(service, user, 'Once around', ['mastodon']);
  const settled = async () => {
    const states = await service.db.query<{ state: string }>(
      'select state from target t join post p on p.id = t.post_id where p.user_id = $1',
      [user.userId],
    );
    return states.map(({ state }) => state);
  };
  await expect.poll(settled).toEqual(['posted', 'posted', 'posted']);
  await page.goto('/app/posts');
  const rows = page.getByRole('list', { name: 'Posts' }).getByRole('link', { name: 'Once around' });
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: '+2 reposts' }).click();
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: '+2 reposts' }).click();
  await expect(rows).toHaveCount(1);
  // The rest of the row still opens the post.
  await rows.click();
  await expect(page.getByRole('heading', { name: 'Posted' })).toBeVisible();
});

test.describe('a scheduled post', () => {
  test('can be posted now as a copy', async ({ page, service, user }) => {
    const id = await post(service, user, 'Twice', ['mastodon', 'telegram'], { at: inHours(48) });
    await page.goto(`/app/posts/${id}`);
    await page.getByRole('button', { name: 'Post again as a copy' }).click();
    await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
    await expect(page.getByLabel('Description')).toHaveValue('Twice');
    await page.getByRole('button', { name: 'Post to 2 accounts' }).click();
    await expect(page.getByText('2 of 2 posted')).toBeVisible();
  });

  test('keeps captions, options and cover in a copy', async ({ page, service, user }) => {
    const options = {
      tiktok: { privacy: 'SELF_ONLY', aiGenerated: true },
      youtube: { title: 'Night', privacy: 'unlisted', madeForKids: false, tags: ['sun', 'moon'] },
      telegram: { caption: 'On Telegram' },
    };
    const id = await post(service, user, 'Dawn', Object.keys(options), { at: inHours(48), options, previewTime: 1.5 });
    await page.goto(`/app/posts/${id}`);
    await page.getByRole('button', { name: 'Post again as a copy' }).click();
    // No question has to be answered again.
    await page.getByRole('button', { name: 'Post to 3 accounts' }).click();
    await expect(page.getByText('3 of 3 posted')).toBeVisible();
    const copyId = new URL(page.url()).pathname.split('/').at(-1);
    const read = async (postId: string | undefined) => {
      const { targets, previewTime } = (await user.get(`/post/${postId}`)).body.data;
      return { previewTime, sent: targets.map(({ caption, options: own }: PostTarget) => ({ caption, own })) };
    };
    const [original, copy] = [await read(id), await read(copyId)];
    expect(copy.previewTime).toBe(1.5);
    // The page also sends the switches that are off.
    expect(copy.sent).toMatchObject(original.sent);
  });
});

test('a deleted post leaves the list', async ({ page, service, user }) => {
  const id = await post(service, user, 'Forget me', ['mastodon', 'telegram']);
  await page.goto(`/app/posts/${id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/2 published posts stay online/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(empty(page)).toBeVisible();
});
