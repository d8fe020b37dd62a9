/** Composing a post: what the service gets, and what needs the layout of a browser. */
import { addAccount, addMedia, addPost } from '../../../../packages/server/test/harness/rows.ts';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { sendPost, smallVideo } from '../../../../packages/server/test/post/world.ts';
import type { Draft } from '../../src/drafts/draft.ts';
import { accountCard, answerQuestions, openOptions, postNow, questionsOf, writePost } from './compose-steps.ts';
import { connectAccounts, expect, type Page, type SessionUser, type TestService, test } from './fixtures.ts';
import { accountRow } from './post-steps.ts';

/** In code points. */
const MAX_DESCRIPTION = 5_000;
const ANY_LETTERS = '🌅👩‍👩‍👧 مرحبا بالعالم <b onclick="x">& "quoted"</b> <img src=x onerror=alert(1)>\n';

let video: string;
test.beforeAll(async () => {
  video = await smallVideo();
});

async function openWithAccounts(page: Page, user: SessionUser): Promise<void> {
  await connectAccounts(user);
  await page.goto('/app/');
}

/** Stores what an earlier visit would have left in the browser. */
async function store(page: Page, name: string, value: unknown): Promise<void> {
  const entry = [name, JSON.stringify(value)] as const;
  await page.addInitScript(([place, text]) => localStorage.setItem(place, text), entry);
}

/** Stores a draft for the next visit. */
function storeDraft(page: Page, { userId }: SessionUser, draft: Partial<Draft>): Promise<void> {
  return store(page, `reelay-draft-${userId}`, draft);
}

interface SentTarget {
  caption: string;
  options: Record<string, unknown>;
}

/** Posts, and waits for the page of the post. @returns what the service stored for each platform */
async function postAndRead(page: Page, { db }: TestService, { userId }: SessionUser) {
  await postNow(page);
  await expect(page).toHaveURL(/\/app\/posts\/[^/]+$/);
  const rows = await db.query<SentTarget & { platform: string }>(
    `select a.platform, coalesce(t.caption, p.description) as caption, t.options
     from target t join account a on a.id = t.account_id join post p on p.id = t.post_id where t.user_id = $1`,
    [userId],
  );
  return Object.fromEntries(rows.map(({ platform, ...sent }): [string, SentTarget] => [platform, sent]));
}

/** Waits until nothing has to be scrolled sideways. */
async function expectToFit(page: Page): Promise<void> {
  const tooWide = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(tooWide).toBe(0);
}

test('answers and options are sent for each account', async ({ page, user, service }) => {
  await openWithAccounts(page, user);
  await writePost(page, { video, description: 'First light', platforms: ['TikTok', 'YouTube'] });
  await answerQuestions(page);
  const drawer = await openOptions(page, 'TikTok');
  await drawer.getByRole('checkbox', { name: 'Allow comments' }).check();
  await drawer.getByRole('button', { name: 'Done' }).click();
  const { tiktok, youtube } = await postAndRead(page, service, user);
  const others = { disableDuet: true, disableStitch: true };
  expect(tiktok?.options).toEqual({ privacy: 'PUBLIC_TO_EVERYONE', disableComment: false, ...others });
  expect(youtube?.options).toEqual({ privacy: 'public', madeForKids: false });
});

test('answers and options survive a reload', async ({ page, user }) => {
  await openWithAccounts(page, user);
  await accountCard(page, 'TikTok').check();
  await answerQuestions(page);
  const drawer = await openOptions(page, 'TikTok');
  await drawer.getByRole('checkbox', { name: 'Allow comments' }).check();
  await page.reload();
  await expect(page.getByText('1 option', { exact: true })).toBeVisible();
  await expect(questionsOf(page).getByRole('combobox', { name: 'Who can see this video' })).toHaveValue('Everyone');
});

test('a caption is shortened to what X accepts', async ({ page, user, service }) => {
  await openWithAccounts(page, user);
  const description = `🌅 <b>مرحبا</b> & ${'light '.repeat(60)}end`;
  await writePost(page, { video, description, platforms: ['X', 'Mastodon'] });
  const shorten = page.getByRole('button', { name: 'Shorten for this account' });
  await shorten.click();
  await expect(shorten).toBeHidden();
  const { x, mastodon } = await postAndRead(page, service, user);
  expect(x?.caption).toMatch(/^🌅 <b>مرحبا<\/b> & light .*light…$/u);
  expect(mastodon?.caption).toBe(description);
});

test('an account gets its own caption', async ({ page, user, service }) => {
  await openWithAccounts(page, user);
  await writePost(page, { video, description: 'For all', platforms: ['Mastodon', 'Telegram'] });
  const drawer = await openOptions(page, 'Mastodon');
  await drawer.getByRole('switch', { name: 'Different caption here' }).click();
  await drawer.getByLabel('Caption', { exact: true }).fill('For Mastodon <3 🌊');
  await drawer.getByRole('button', { name: 'Done' }).click();
  const { mastodon, telegram } = await postAndRead(page, service, user);
  expect([mastodon?.caption, telegram?.caption]).toEqual(['For Mastodon <3 🌊', 'For all']);
});

test.describe('a description', () => {
  const longest = `${[...ANY_LETTERS.repeat(100)].slice(0, MAX_DESCRIPTION - 1).join('')}.`;

  /** Opens a post with the longest description. */
  async function openPost(page: Page, { db }: TestService, { userId }: SessionUser): Promise<void> {
    const account = await addAccount(db, userId, { platform: 'facebook' });
    const media = await addMedia(db, userId);
    const { id } = await addPost(db, { userId, mediaId: media.id, accounts: [account], state: 'posted' });
    await db.execute('update post set description = $2 where id = $1', [id, longest]);
    await page.goto(`/app/posts/${id}`);
    await expect(page.getByRole('button', { name: 'Show all' })).toBeVisible();
  }

  test('of the greatest length is posted as typed', async ({ page, user, service }) => {
    await openWithAccounts(page, user);
    await writePost(page, { video, description: longest, platforms: ['Facebook'] });
    const { facebook } = await postAndRead(page, service, user);
    expect(facebook?.caption).toBe(longest);
  });

  test('with one letter too many cannot be posted', async ({ page, user }) => {
    await openWithAccounts(page, user);
    await writePost(page, { video, description: `${longest}!`, platforms: ['Facebook'] });
    await expect(page.getByText('This text has 5,001 characters. The maximum is 5,000.')).toBeVisible();
    await expect(page.getByText('Shorten the description.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Post to 1 account' })).toBeDisabled();
  });

  test('with tags is shown as text', async ({ page, user, service }) => {
    await openPost(page, service, user);
    await expect(page.getByText(ANY_LETTERS.trim()).first()).toBeVisible();
    await expect(page.getByRole('main').locator('b, img[src=x]')).toHaveCount(0);
  });

  test("is folded on the post's page if it is long", async ({ page, user, service }) => {
    await openPost(page, service, user);
    const heightOf = async () => (await page.getByRole('main').boundingBox())?.height ?? 0;
    const folded = await heightOf();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(heightOf).toBeGreaterThan(folded + 500);
    await page.getByRole('button', { name: 'Show less' }).click();
    await expect.poll(heightOf).toBe(folded);
  });
});

test.describe('a wide video', () => {
  test('is not vertical according to the service either', async ({ page, user }) => {
    await openWithAccounts(page, user);
    const wide = await makeVideo({ seconds: 4, width: 320, height: 180 });
    await writePost(page, { video: wide, description: 'Wide', platforms: ['Mastodon'] });
    await expect(page.getByText('320 × 180, not vertical')).toBeVisible();
    await expect(page.getByText('Uploaded', { exact: true })).toBeVisible();
    // Now the page cannot see the video, so only the service knows.
    await page.reload();
    await page.getByRole('alert').getByRole('button', { name: 'Add bars' }).click();
    await expect(page.getByText('Bars will be added to make the video 9:16.')).toBeVisible();
  });

  test('loses its fit when it is removed', async ({ page, user }) => {
    await openWithAccounts(page, user);
    const wide = await makeVideo({ seconds: 4, width: 320, height: 180 });
    await writePost(page, { video: wide, description: 'Wide', platforms: ['Mastodon'] });
    await page.getByRole('radio', { name: 'Crop' }).check();
    await expect(page.getByText('The video will be cropped to 9:16.')).toBeVisible();
    await page.getByRole('button', { name: 'Remove video' }).click();
    await expect(page.getByRole('button', { name: /^(Drop or paste a video here|Choose a video)/ })).toBeVisible();
    await expect(page.getByText('The video will be cropped to 9:16.')).toBeHidden();
  });
});

test('a changed post is made again only when confirmed', async ({ page, user, service }) => {
  await connectAccounts(user);
  const { id } = await accountRow(service, user, 'mastodon');
  const headers = { 'idempotency-key': 'first' };
  expect(await sendPost(user, { to: [id], fields: [['description', 'Before']], headers })).toMatchObject({
    status: 200,
  });
  // As if the response had been lost.
  await storeDraft(page, user, { key: 'first', accounts: [id], description: 'After' });
  await page.goto('/app/');
  await page.setInputFiles('input[type=file]', video);
  await postNow(page);
  await expect(page.getByText('This post was already made')).toBeVisible();
  await page.getByRole('button', { name: 'Post the changed version too' }).click();
  await expect(page).toHaveURL(/\/app\/posts\/[^/]+$/);
  const posts = await service.db.query('select description from post where user_id = $1 order by created_at, id', [
    user.userId,
  ]);
  expect(posts).toEqual([{ description: 'Before' }, { description: 'After' }]);
});

test.describe('the layout', () => {
  test('does not move when a list opens', { tag: '@layout' }, async ({ page, user }) => {
    await openWithAccounts(page, user);
    await accountCard(page, 'TikTok').check();
    const field = page.getByRole('combobox', { name: 'Who can see this video' });
    // They appear above the field.
    await expect(page.getByRole('list', { name: 'Length of the captions' })).toBeVisible();
    await field.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const top = () => field.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    await field.press('ArrowDown');
    const before = await top();
    await expect(page.getByRole('option', { name: 'Everyone' })).toBeVisible();
    expect(await top()).toBe(before);
  });

  test('has room for questions and counters', { tag: '@layout' }, async ({ page, user }) => {
    await openWithAccounts(page, user);
    for (const platform of ['TikTok', 'YouTube', 'X']) await accountCard(page, platform).check();
    await page.getByLabel('Description').fill('light '.repeat(60));
    await expect(page.getByText(/^.+ \(X\): /)).toBeVisible();
    await expect(questionsOf(page).getByRole('group')).toHaveCount(2);
    await expectToFit(page);
  });

  test('has room for groups with long names', { tag: '@layout' }, async ({ page, user, service }) => {
    await connectAccounts(user);
    const { id } = await accountRow(service, user, 'bluesky');
    const names = ['a', 'b', 'c'].map((letter) => letter.repeat(40));
    for (const name of names)
      expect((await user.call('PUT', '/account-groups', { json: { name, accounts: [id] } })).status).toBe(200);
    await page.goto('/app/');
    await page.getByRole('button', { name: `${names[0]} (1)` }).click();
    await expect(accountCard(page, 'Bluesky')).toBeChecked();
    await expectToFit(page);
  });

  test('breaks a handle only after a dot', async ({ page, user }) => {
    await openWithAccounts(page, user);
    const handle = page.getByRole('checkbox', { name: /^[a-z]+\d*\.test Bluesky/ }).getByText(/\.test$/);
    await expect(handle).toBeVisible();
    const lines = await handle.evaluate((element) => {
      const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const linesOf = (text: Node) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return [...range.getClientRects()];
      };
      element.style.width = `${Math.ceil(linesOf(texts[0] ?? element)[0]?.width ?? 0) + 1}px`;
      return texts.map((text) => [text.textContent?.replace(/^.*\./, '.'), linesOf(text).length]);
    });
    expect(lines).toEqual([
      ['.', 1],
      ['test', 1],
    ]);
  });
});
