/** The change of a post until it begins, in the browser. */
import type { Post } from '@reelay/sdk';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { accountCard, openOptions } from './compose-steps.ts';
import { connectAccounts, expect, type Page, type SessionUser, test } from './fixtures.ts';
import { inHours, post } from './post-steps.ts';
import { signIn } from './session-steps.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test.beforeEach(({ user }) => connectAccounts(user));

const description = (page: Page) => page.getByLabel('Description');
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

async function openEdit(page: Page, id: string): Promise<void> {
  await page.goto(`/app/posts/${id}`);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Edit post' })).toBeVisible();
}

const read = async (user: SessionUser, id: string): Promise<Post> => (await user.get(`/post/${id}`)).body.data;

const isAt = (page: Page, id: string) => expect(page).toHaveURL(new RegExp(`/app/posts/${id}$`));

test('accounts, captions and options of a post can be changed', async ({ page, service, user }) => {
  const id = await post(service, user, 'Lighthouse', ['mastodon', 'telegram'], {
    at: inHours(48),
    options: { mastodon: { visibility: 'unlisted' } },
    previewTime: 1.5,
  });
  await openEdit(page, id);
  await expect(page.getByRole('region', { name: 'Preview' }).locator('video')).toBeVisible();
  await accountCard(page, 'Telegram').uncheck();
  await accountCard(page, 'Bluesky').check();
  const drawer = await openOptions(page, 'Bluesky');
  await drawer.getByRole('switch', { name: /caption/i }).check({ force: true });
  await drawer.getByRole('textbox').first().fill('Lighthouse at dawn');
  await page.keyboard.press('Escape');
  const cover = page.getByRole('slider', { name: 'Cover' });
  await expect(cover).toHaveAttribute('aria-valuetext', '1.5 s');
  for (let step = 0; step < 10; step++) await cover.press('ArrowRight');
  await save(page).click();
  await isAt(page, id);
  const { targets, previewTime, result } = await read(user, id);
  expect(result.map(({ platform }) => platform).sort()).toEqual(['bluesky', 'mastodon']);
  expect(targets.map(({ caption }) => caption).filter(Boolean)).toEqual(['Lighthouse at dawn']);
  expect(targets.flatMap(({ options }) => (options ? [options] : []))).toContainEqual({ visibility: 'unlisted' });
  expect(previewTime).toBe(2.5);
});

test.describe('the cover of an unplayable video', () => {
  const saved = async (page: Page, user: SessionUser, id: string) => {
    await save(page).click();
    await isAt(page, id);
    return (await read(user, id)).previewTime;
  };

  test('is chosen in its preview', async ({ page, service, user }) => {
    const video = await makeVideo({ extension: 'avi' });
    const id = await post(service, user, 'Lighthouse', ['mastodon'], { at: inHours(48), video, previewTime: 1.5 });
    await openEdit(page, id);
    const cover = page.getByRole('slider', { name: 'Cover' });
    for (let step = 0; step < 10; step++) await cover.press('ArrowRight');
    expect(await saved(page, user, id)).toBe(2.5);
  });

  test('is a time if there is no preview', async ({ page, service, user }) => {
    const video = await makeVideo({ extension: 'avi' });
    const id = await post(service, user, 'Lighthouse', ['mastodon'], { at: inHours(48), video, previewTime: 1.5 });
    await service.db.execute(
      `insert into rendition (media_id, user_id, spec_key, storage_key, state, due_at)
       select media_id, user_id, 'preview', id, 'failed', null from post where id = $1`,
      [id],
    );
    await openEdit(page, id);
    await page.getByLabel('Cover (second of the video)').fill('2.5');
    expect(await saved(page, user, id)).toBe(2.5);
  });
});

test('another video replaces the one of a post', async ({ page, service, user }) => {
  const id = await post(service, user, 'Old video', ['mastodon'], { at: inHours(48) });
  await openEdit(page, id);
  const { filename } = await read(user, id);
  await page.setInputFiles('input[type=file]', await makeVideo({ seconds: 4, width: 360, height: 640 }));
  await expect(page.getByText('Uploaded', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Keep the present video' })).toBeVisible();
  await page.getByRole('slider', { name: /cover/i }).press('ArrowRight');
  await save(page).click();
  await isAt(page, id);
  const changed = await read(user, id);
  expect(changed.filename).not.toBe(filename);
  expect(changed.previewTime).toBe(0.1);
});

test('a change survives the end of the session', async ({ page, service, user }) => {
  const id = await post(service, user, 'Before', ['mastodon'], { at: inHours(48) });
  await openEdit(page, id);
  await description(page).fill('After');
  await service.db.execute('update auth.session set expires_at = now() where user_id = $1', [user.userId]);
  await save(page).click();
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  await signIn(page, user);
  await expect(description(page)).toHaveValue('After');
  await save(page).click();
  await isAt(page, id);
  const rows = await service.db.query('select description from post where id = $1', [id]);
  expect(rows).toEqual([{ description: 'After' }]);
});

test('a change that was left is continued', async ({ page, service, user }) => {
  const id = await post(service, user, 'Half', ['mastodon'], { at: inHours(48) });
  await openEdit(page, id);
  await description(page).fill('Half a sentence');
  await page.getByRole('link', { name: 'Posts', exact: true }).click();
  await page.getByRole('link', { name: /Half/ }).first().click();
  await page.getByRole('link', { name: 'Continue editing' }).click();
  await expect(description(page)).toHaveValue('Half a sentence');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await isAt(page, id);
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible();
  expect((await read(user, id)).description).toBe('Half');
});

test.describe('in another zone than the browser', () => {
  test.use({ timezoneId: 'America/New_York' });

  test('a post is edited in the zone of the user', async ({ page, service, user }) => {
    await service.db.execute(`update auth."user" set zone = 'Asia/Kolkata' where id = $1`, [user.userId]);
    const noon = Math.ceil(inHours(48) / DAY_MS) * DAY_MS + 12 * HOUR_MS;
    const id = await post(service, user, 'Far away', ['mastodon'], { at: noon });
    await page.goto(`/app/posts/${id}`);
    await expect(page.getByText(/5:30\sPM/)).toBeVisible();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await expect(page.getByText('Asia/Kolkata')).toBeVisible();
    const time = page.getByLabel('Time', { exact: true });
    await expect(time).toHaveValue('17:30');
    await time.fill('06:15');
    await save(page).click();
    await isAt(page, id);
    expect(new Date((await read(user, id)).date).getTime()).toBe(noon - 11.25 * HOUR_MS);
  });
});
