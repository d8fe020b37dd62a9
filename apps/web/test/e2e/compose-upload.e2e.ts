/** The upload of a video: interrupted, continued, and shared by tabs. */
import { stat } from 'node:fs/promises';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { openLine } from '../../../../packages/server/test/uploads/broken-line.ts';
import { interruptUploads } from './compose-steps.ts';
import { expect, type Page, type SessionUser, test } from './fixtures.ts';
import { holdResponse } from './hold-response.ts';
import { signIn, signOut } from './session-steps.ts';

const MIB = 1024 * 1024;

type Accepted = readonly [from: number, to: number];

let video: string;
let bytes: number;
test.beforeAll(async () => {
  // Several pieces: the first has 1 MiB.
  video = await makeVideo({ seconds: 8, width: 720, height: 1280, fps: 25 });
  bytes = (await stat(video)).size;
  expect(bytes).toBeGreaterThan(2 * MIB);
});

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const choose = (page: Page, path: string) => page.setInputFiles('input[type=file]', path);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const uploaded = (page: Page) => page.getByText('Uploaded', { exact: true });
const askedAgain = (page: Page) => page.getByText(/again to continue at/);
const elsewhere = (page: Page) => page.getByText('is being uploaded in another tab');

/** Chooses the video, lets the first piece pass, and holds the others until the page aborts them. */
async function uploadFirstPiece(page: Page) {
  let isOpen = false;
  const isHeld = Promise.withResolvers<void>();
  const accepted: Accepted[] = [];
  await page.context().route('**/api/v1/uploads/*', async (route) => {
    const request = route.request();
    if (request.method() !== 'PATCH') return route.fallback();
    const from = Number(request.headers()['upload-offset']);
    if (from > 0 && !isOpen) return isHeld.resolve();
    const response = await route.fetch().catch(() => null);
    if (!response) return;
    if (response.ok()) accepted.push([from, Number(response.headers()['upload-offset'])]);
    await route.fulfill({ response }).catch(() => {});
  });
  await choose(page, video);
  await isHeld.promise;
  await expect(page.getByText(/^\d+% · 1 MB/)).toBeVisible();
  return {
    /** What the service accepted. */
    accepted,
    /** Lets all pass that are sent from now on. */
    open: () => {
      isOpen = true;
    },
  };
}

/** Whether the service got every byte once. */
function expectEachByteOnce(accepted: readonly Accepted[]): void {
  const ends = accepted.map(([, to]) => to);
  expect(ends.length).toBeGreaterThan(1);
  expect(accepted.map(([from]) => from)).toEqual([0, ...ends.slice(0, -1)]);
  expect(ends.at(-1)).toBe(bytes);
}

async function continueUpload(page: Page): Promise<void> {
  await button(page, 'Pause').click();
  await button(page, 'Continue').click();
}

test.describe('an upload', () => {
  test('pauses and continues where it was', async ({ page }) => {
    await page.goto('/app/');
    const line = await uploadFirstPiece(page);
    await button(page, 'Pause').click();
    await expect(page.getByText(`Paused at ${Math.floor((MIB / bytes) * 100)}%.`)).toBeVisible();
    line.open();
    await button(page, 'Continue').click();
    await expect(uploaded(page)).toBeVisible();
    expectEachByteOnce(line.accepted);
  });

  test('continues after a reload with the same file', async ({ page }) => {
    await page.goto('/app/');
    const line = await uploadFirstPiece(page);
    await page.reload();
    const percent = Math.floor((MIB / bytes) * 100);
    await expect(page.getByText(`Choose “${nameOf(video)}” again to continue at ${percent}%.`)).toBeVisible();
    line.open();
    await choose(page, video);
    await expect(uploaded(page)).toBeVisible();
    expectEachByteOnce(line.accepted);
  });

  test('starts from the beginning with another file', async ({ page }) => {
    await page.goto('/app/');
    await uploadFirstPiece(page);
    await page.reload();
    await expect(askedAgain(page)).toBeVisible();
    const other = await makeVideo();
    const held = await holdResponse(page, '**/api/v1/uploads');
    const notice = page.getByText(`“${nameOf(other)}” is not “${nameOf(video)}”`);
    await choose(page, other);
    await expect(notice).toBeVisible();
    held.release();
    await expect(uploaded(page)).toBeVisible();
    await expect(notice).toBeHidden();
  });

  test('that is finished survives a reload', async ({ page }) => {
    await page.goto('/app/');
    const small = await makeVideo();
    await choose(page, small);
    await expect(uploaded(page)).toBeVisible();
    await page.reload();
    await expect(page.getByText(`“${nameOf(small)}” is uploaded and ready to post.`)).toBeVisible();
  });

  test('sends no piece again whose response was lost', async ({ page }) => {
    await page.goto('/app/');
    const accepted = await interruptUploads(page);
    await choose(page, video);
    await expect(uploaded(page)).toBeVisible();
    expectEachByteOnce(accepted);
  });

  test('announces a lost connection and continues', async ({ open, user, service }) => {
    const line = await openLine();
    try {
      line.leadTo(service.url);
      const page = await open({ user, url: line.url });
      await page.goto('/app/');
      await expect(page.getByLabel('Description')).toBeVisible();
      line.cut();
      line.leadTo(service.url, MIB + 300_000);
      await choose(page, video);
      await expect(page.getByText(/^\d+% · 1 MB/)).toBeVisible();
      line.cut();
      // Nothing listens there.
      line.leadTo('http://127.0.0.1:1');
      await expect(page.getByText('Connection lost. The upload continues')).toBeVisible();
      line.cut();
      line.leadTo(service.url);
      await expect(uploaded(page)).toBeVisible();
    } finally {
      await line.close();
    }
  });

  test('continues on other pages', async ({ page }) => {
    await page.goto('/app/');
    const line = await uploadFirstPiece(page);
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Accounts', exact: true })).toBeVisible();
    line.open();
    await page.getByRole('link', { name: 'Compose', exact: true }).click();
    await continueUpload(page);
    await expect(uploaded(page)).toBeVisible();
    expectEachByteOnce(line.accepted);
  });

  test('that the service no longer has starts again', async ({ page, user, service }) => {
    await page.goto('/app/');
    const line = await uploadFirstPiece(page);
    await page.reload();
    await expect(askedAgain(page)).toBeVisible();
    await service.db.execute('delete from upload where user_id = $1', [user.userId]);
    line.open();
    await choose(page, video);
    await expect(uploaded(page)).toBeVisible();
    expectEachByteOnce(line.accepted.slice(1));
  });

  test('continues after the session has ended', async ({ page, user }) => {
    await page.goto('/app/');
    const line = await uploadFirstPiece(page);
    await button(page, 'Pause').click();
    await page.context().clearCookies();
    line.open();
    await button(page, 'Continue').click();
    await expect(page.getByText('Your session has ended.')).toBeVisible();
    await signIn(page, user);
    await expect(uploaded(page)).toBeVisible();
    expectEachByteOnce(line.accepted);
  });
});

test.describe('two tabs', () => {
  test('do not disturb the upload of one', async ({ page }) => {
    await page.goto('/app/');
    const line = await uploadFirstPiece(page);
    const second = await page.context().newPage();
    await second.goto('/app/');
    await expect(elsewhere(second)).toBeVisible();
    line.open();
    await continueUpload(page);
    await expect(second.getByText('is uploaded and ready to post.')).toBeVisible();
    expectEachByteOnce(line.accepted);
  });

  test('share a draft while one uploads', async ({ page }) => {
    await page.goto('/app/');
    const line = await uploadFirstPiece(page);
    const second = await page.context().newPage();
    await second.goto('/app/');
    await expect(elsewhere(second)).toBeVisible();
    await second.getByLabel('Description').fill('Typed in the second tab');
    await expect(page.getByLabel('Description')).toHaveValue('Typed in the second tab');
    line.open();
    await continueUpload(page);
    await expect(second.getByText('is uploaded and ready to post.')).toBeVisible();
    await expect(page.getByLabel('Description')).toHaveValue('Typed in the second tab');
  });

  test('pass the upload on when one is closed', async ({ page }) => {
    await page.goto('/app/');
    await uploadFirstPiece(page);
    const second = await page.context().newPage();
    await second.goto('/app/');
    await expect(elsewhere(second)).toBeVisible();
    await page.close();
    await expect(askedAgain(second)).toBeVisible();
  });
});

test.describe('the next user of the browser', () => {
  /**
   * The first user's session expires with a draft and part of an upload; then somebody signs in.
   * @returns as `uploadFirstPiece`
   */
  async function handOver(page: Page, other: SessionUser) {
    await page.goto('/app/');
    await page.getByLabel('Description').fill('From Ana');
    const line = await uploadFirstPiece(page);
    await page.context().clearCookies();
    await page.goto('/app/');
    line.open();
    await signIn(page, other);
    return line;
  }
  const storedOf = (page: Page, { userId }: SessionUser) =>
    page.evaluate((id) => Object.keys(localStorage).filter((key) => key.includes(id)), userId);

  test('gets neither the draft nor the upload', async ({ page, user, service }) => {
    const other = await service.newSession();
    await handOver(page, other);
    await expect(page.getByRole('button', { name: /^(Drop or paste a video here|Choose a video)/ })).toBeVisible();
    await expect(page.getByLabel('Description')).toHaveValue('');
    await expect.poll(() => storedOf(page, user)).toEqual([]);
    const owners = await service.db.query<{ id: string }>(
      'select user_id as id from upload where user_id in ($1, $2)',
      [user.userId, other.userId],
    );
    expect(owners).toEqual([{ id: user.userId }]);
  });

  test('finds nothing after a sign-out', async ({ page, user }) => {
    await page.goto('/app/');
    await page.getByLabel('Description').fill('From Ana');
    await uploadFirstPiece(page);
    await signOut(page);
    await expect.poll(() => storedOf(page, user)).toEqual([]);
    await signIn(page, user);
    await expect(page.getByRole('button', { name: /^(Drop or paste a video here|Choose a video)/ })).toBeVisible();
    await expect(page.getByLabel('Description')).toHaveValue('');
  });

  test('keeps both if it is the same user', async ({ page, user }) => {
    const line = await handOver(page, user);
    await expect(askedAgain(page)).toBeVisible();
    await expect(page.getByLabel('Description')).toHaveValue('From Ana');
    await choose(page, video);
    await expect(uploaded(page)).toBeVisible();
    expectEachByteOnce(line.accepted);
  });
});
