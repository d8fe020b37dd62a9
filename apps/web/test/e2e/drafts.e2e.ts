/** Drafts on the service: saved by themselves, used from several devices, and made of scheduled posts. */
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { accountCard, postNow, schedulePost, writePost } from './compose-steps.ts';
import { connectAccounts, expect, type Page, type SessionUser, test } from './fixtures.ts';
import { inHours, post } from './post-steps.ts';

let video: string;
test.beforeAll(async () => {
  video = await makeVideo();
});

const descriptionOf = (page: Page) => page.getByLabel('Description');
const saved = (page: Page) => expect(page.getByText('Draft saved', { exact: true })).toBeVisible();
/** Types a description, and waits until it is saved or refused. */
const write = async (page: Page, description: string) => {
  const sent = page.waitForResponse((response) => {
    const request = response.request();
    return request.method() === 'PUT' && (request.postData() ?? '').includes(JSON.stringify(description));
  });
  await descriptionOf(page).fill(description);
  await sent;
};
const openList = async (page: Page) => {
  await page.getByRole('button', { name: /^Drafts/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Drafts', exact: true });
  await expect(dialog).toBeVisible();
  return dialog;
};

/** Opens Compose in another browser of the user. */
type Open = (options: { user: SessionUser }) => Promise<Page>;
const otherDevice = async (open: Open, user: SessionUser) => {
  const page = await open({ user });
  await page.goto('/app/');
  return page;
};

test('a draft is finished and posted on another device', async ({ page, user, open, service }) => {
  await connectAccounts(user);
  await page.goto('/app/');
  await writePost(page, { video, description: 'From here', platforms: ['Mastodon'] });
  await expect(page.getByText('Uploaded', { exact: true })).toBeVisible();
  await saved(page);

  const phone = await otherDevice(open, user);
  await expect(descriptionOf(phone)).toHaveValue('');
  const dialog = await openList(phone);
  await dialog.getByRole('button', { name: /^From here/ }).click();
  await expect(descriptionOf(phone)).toHaveValue('From here');
  await expect(accountCard(phone, 'Mastodon')).toBeChecked();
  await expect(phone.getByRole('slider', { name: 'Cover' })).toBeVisible();
  await write(phone, 'From there');
  await postNow(phone);
  await expect(phone.getByText('1 of 1 posted')).toBeVisible();

  await page.reload();
  await expect(page.getByText('This draft was posted or deleted on another device.')).toBeVisible();
  await expect(descriptionOf(page)).toHaveValue('');
  const posts = await service.db.query('select description from post where user_id = $1', [user.userId]);
  expect(posts).toEqual([{ description: 'From there' }]);
});

test('two devices that change a draft are asked which stays', async ({ page, user, open }) => {
  await page.goto('/app/');
  await write(page, 'First');
  const phone = await otherDevice(open, user);
  await (await openList(phone)).getByRole('button', { name: /^First/ }).click();
  await expect(descriptionOf(phone)).toHaveValue('First');
  await write(phone, 'Of the phone');
  await write(page, 'Of the desktop');
  const question = page.getByRole('alert', { name: 'This draft was changed on another device' });
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Keep as a new draft' }).click();
  await saved(page);
  await expect(question).toBeHidden();
  const dialog = await openList(page);
  await expect(dialog.getByRole('listitem')).toHaveText([/Of the desktop.*Open now/, /Of the phone/]);
});

test('several drafts are kept, opened and deleted', async ({ page }) => {
  await page.goto('/app/');
  await write(page, 'First');
  let dialog = await openList(page);
  await dialog.getByRole('button', { name: 'New draft' }).click();
  await expect(descriptionOf(page)).toHaveValue('');
  await descriptionOf(page).fill('Second');
  dialog = await openList(page);
  await dialog.getByRole('button', { name: /^First/ }).click();
  await expect(descriptionOf(page)).toHaveValue('First');
  dialog = await openList(page);
  await dialog.getByRole('button', { name: 'Delete draft: Second' }).click();
  await page.getByRole('dialog', { name: 'Delete this draft?' }).getByRole('button', { name: 'Delete draft' }).click();
  await expect(dialog.getByRole('listitem')).toHaveText([/First/]);
});

test('a scheduled post becomes a draft and is scheduled again', async ({ page, user, service }) => {
  await connectAccounts(user);
  const id = await post(service, user, 'Tomorrow', ['mastodon', 'bluesky'], { at: inHours(24) });
  await page.goto(`/app/posts/${id}`);
  await page.getByRole('button', { name: 'Cancel post' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move to drafts' }).click();
  await expect(descriptionOf(page)).toHaveValue('Tomorrow');
  for (const name of ['Mastodon', 'Bluesky']) await expect(accountCard(page, name)).toBeChecked();
  expect((await user.get(`/post/${id}`)).status).toBe(404);
  await schedulePost(page);
  await expect(page.getByRole('button', { name: 'Cancel post' })).toBeVisible();
  expect((await user.get('/drafts')).body.data).toEqual([]);
});

test('moving a post to the drafts is undone', async ({ page, user, service }) => {
  await connectAccounts(user);
  const id = await post(service, user, 'Tomorrow', ['mastodon'], { at: inHours(24) });
  const move = async () => {
    await page.getByRole('button', { name: 'Cancel post' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move to drafts' }).click();
    await expect(descriptionOf(page)).toHaveValue('Tomorrow');
  };
  const notice = page.getByText('Moved to your drafts.');
  await page.goto(`/app/posts/${id}`);
  await move();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Cancel post' })).toBeVisible();
  await expect(notice).toBeHidden();
  expect((await user.get('/drafts')).body.data).toEqual([]);
  await move();
  await expect(notice).toBeVisible();
  await descriptionOf(page).fill('On Friday');
  await expect(notice).toBeHidden();
});

test('a copy keeps the draft that it replaces', async ({ page, user, service }) => {
  await connectAccounts(user);
  const id = await post(service, user, 'Posted before', ['mastodon']);
  await page.goto('/app/');
  await descriptionOf(page).fill('Half a thought');
  await page.goto(`/app/posts/${id}`);
  await expect(page.getByText('1 of 1 posted')).toBeVisible();
  await page.getByRole('button', { name: 'Post again as a copy' }).click();
  await expect(descriptionOf(page)).toHaveValue('Posted before');
  await expect((await openList(page)).getByRole('button', { name: /^Half a thought/ })).toBeVisible();
});
