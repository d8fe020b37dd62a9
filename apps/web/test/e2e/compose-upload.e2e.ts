import { stat } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { openLine } from '../../../../packages/server/test/uploads/broken-line.ts';
import { type E2eWorld, SCREENS, seriousProblems, shoot, signIn, signOut, startE2eWorld } from './browser.ts';

const MIB = 1024 * 1024;

let world: E2eWorld;
let video: string;
let bytes: number;
beforeAll(async () => {
  // Several pieces: the first has 1 MiB.
  video = await makeVideo({ seconds: 8, width: 720, height: 1280, fps: 25 });
  bytes = (await stat(video)).size;
  expect(bytes).toBeGreaterThan(2 * MIB);
  world = await startE2eWorld();
});
afterAll(() => world.close());
afterEach(() => world.closePages());

const OWNERS_OF_UPLOADS =
  'select u.email from upload join auth."user" u on u.id = upload.user_id where u.email in ($1, $2)';

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const choose = (page: Page, path: string) => page.setInputFiles('input[type=file]', path);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Chooses the video, lets the first piece pass, and holds the others until the page aborts them. */
async function uploadFirstPiece(page: Page) {
  let isOpen = false;
  const isHeld = Promise.withResolvers<void>();
  /** What the service accepted, as [from, to]. */
  const accepted: (readonly [from: number, to: number])[] = [];
  await page.context().route('**/api/v1/uploads/*', async (route) => {
    const request = route.request();
    if (request.method() !== 'PATCH') return route.continue();
    const from = Number(request.headers()['upload-offset']);
    if (from > 0 && !isOpen) return isHeld.resolve();
    const response = await route.fetch().catch(() => null);
    if (!response) return;
    if (response.ok()) accepted.push([from, Number(response.headers()['upload-offset'])]);
    await route.fulfill({ response }).catch(() => {});
  });
  await choose(page, video);
  await isHeld.promise;
  await page.getByText(/^\d+% · 1 MB/).waitFor();
  return {
    accepted,
    /** Lets all pass that are sent from now on. */
    open: () => {
      isOpen = true;
    },
  };
}

/** Whether the service got every byte once. */
function expectEachByteOnce(accepted: readonly (readonly [from: number, to: number])[]): void {
  const ends = accepted.map(([, to]) => to);
  expect(accepted.map(([from]) => from)).toEqual([0, ...ends.slice(0, -1)]);
  expect(ends.at(-1)).toBe(bytes);
}

async function openCompose(screen: Parameters<E2eWorld['open']>[0]): Promise<Page> {
  const page = await world.open({ ...screen, user: true });
  await page.goto(`${world.service.url}/app/`);
  return page;
}

describe.each(SCREENS)('on a %s', (name, screen) => {
  test('an upload pauses, continues, and survives a reload', async () => {
    const page = await openCompose(screen);
    const line = await uploadFirstPiece(page);
    const percent = Math.floor((MIB / bytes) * 100);
    await page.getByText(`${percent}% · `).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `compose-uploading-${name}`);
    await button(page, 'Pause').click();
    await page.getByText(`Paused at ${percent}%.`).waitFor();
    await button(page, 'Continue').click();
    await button(page, 'Pause').waitFor();

    await page.reload();
    await page.getByText(`Choose “${nameOf(video)}” again to continue at ${percent}%.`).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `compose-unfinished-${name}`);
    line.open();
    await choose(page, video);
    await page.getByText('Uploaded', { exact: true }).waitFor();
    expectEachByteOnce(line.accepted);
    expect(await seriousProblems(page)).toEqual([]);

    await page.reload();
    await page.getByText(`“${nameOf(video)}” is uploaded and ready to post.`).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `compose-uploaded-${name}`);
    expect(world.problems).toEqual([]);
  });

  test('another file says so and starts from the beginning', async () => {
    const page = await openCompose(screen);
    await uploadFirstPiece(page);
    await page.reload();
    await page.getByText(/again to continue at/).waitFor();
    const other = await makeVideo();
    await choose(page, other);
    await page.getByText(`“${nameOf(other)}” is not “${nameOf(video)}”`).waitFor();
    await page.getByText('Uploaded', { exact: true }).waitFor();
    expect(world.problems).toEqual([]);
  });

  test('a lost connection is announced, and the upload continues', async () => {
    const line = await openLine();
    try {
      line.leadTo(world.service.url);
      const page = await world.open({ ...screen, user: true, url: line.url });
      await page.goto(`${line.url}/app/`);
      await page.getByLabel('Description').waitFor();
      line.cut();
      line.leadTo(world.service.url, MIB + 300_000);
      await choose(page, video);
      await page.getByText(/^\d+% · 1 MB/).waitFor();
      line.cut();
      // Nothing listens there.
      line.leadTo('http://127.0.0.1:1');
      // The frame of the page says that the connection is lost too.
      await page.getByText('Connection lost. The upload continues').waitFor();
      expect(await seriousProblems(page)).toEqual([]);
      line.cut();
      line.leadTo(world.service.url);
      await button(page, 'Try now')
        .click({ timeout: 5_000 })
        .catch(() => {});
      await page.getByText('Uploaded', { exact: true }).waitFor();
      expect(world.problems).toEqual([]);
    } finally {
      await line.close();
    }
  });
});

test('an upload continues on other pages', async () => {
  const page = await openCompose({});
  const line = await uploadFirstPiece(page);
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor();
  line.open();
  await page.getByRole('link', { name: 'Compose', exact: true }).click();
  await button(page, 'Pause').click();
  await button(page, 'Continue').click();
  await page.getByText('Uploaded', { exact: true }).waitFor();
  expectEachByteOnce(line.accepted);
  expect(world.problems).toEqual([]);
});

test('a second tab shows the upload and does not disturb it', async () => {
  const page = await openCompose({});
  const line = await uploadFirstPiece(page);
  const second = await page.context().newPage();
  await second.goto(`${world.service.url}/app/`);
  await second.getByText('is being uploaded in another tab').waitFor();
  expect(await seriousProblems(second)).toEqual([]);
  await second.getByLabel('Description').fill('Typed in the second tab');
  // The storage of a tab lags behind that of another.
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Typed in the second tab');
  line.open();
  await button(page, 'Pause').click();
  await button(page, 'Continue').click();
  await second.getByText('is uploaded and ready to post.').waitFor();
  expectEachByteOnce(line.accepted);
  expect(await page.getByLabel('Description').inputValue()).toBe('Typed in the second tab');
  expect(world.problems).toEqual([]);
});

test('a tab that is closed gives its upload to another', async () => {
  const page = await openCompose({});
  await uploadFirstPiece(page);
  const second = await page.context().newPage();
  await second.goto(`${world.service.url}/app/`);
  await second.getByText('is being uploaded in another tab').waitFor();
  await page.close();
  await second.getByText(/again to continue at/).waitFor();
  expect(world.problems).toEqual([]);
});

test('an upload that the service no longer has starts again', async () => {
  const page = await openCompose({});
  await uploadFirstPiece(page);
  await page.reload();
  await page.getByText(/again to continue at/).waitFor();
  await world.service.db.execute('delete from upload');
  await page.context().unrouteAll();
  await choose(page, video);
  await page.getByText('Uploaded', { exact: true }).waitFor();
  expect(world.problems).toEqual([]);
});

test('another user gets neither the draft nor the upload', async () => {
  const [ana, ben] = [await world.service.newSession(), await world.service.newSession()];
  const page = await world.open({ user: ana });
  await page.goto(`${world.service.url}/app/`);
  await page.getByLabel('Description').fill('From Ana');
  const line = await uploadFirstPiece(page);
  await signOut(page);
  line.open();
  await signIn(page, ben);
  await page.getByText('Drop or paste a video here').waitFor();
  expect(await page.getByLabel('Description').inputValue()).toBe('');
  const uploads = () => world.service.db.query<{ email: string }>(OWNERS_OF_UPLOADS, [ana.email, ben.email]);
  expect(await uploads()).toEqual([{ email: ana.email }]);
  await page.getByLabel('Description').fill('From Ben');
  await signOut(page);
  await signIn(page, ana);
  await page.getByText(/again to continue at/).waitFor();
  expect(await page.getByLabel('Description').inputValue()).toBe('From Ana');
  await choose(page, video);
  await page.getByText('Uploaded', { exact: true }).waitFor();
  expectEachByteOnce(line.accepted);
  expect(await uploads()).toEqual([{ email: ana.email }]);
  expect(world.problems).toEqual([]);
});

test('an upload that meets an ended session continues after signing in', async () => {
  const user = await world.service.newSession();
  const page = await world.open({ user });
  await page.goto(`${world.service.url}/app/`);
  const line = await uploadFirstPiece(page);
  await button(page, 'Pause').click();
  await page.context().clearCookies();
  line.open();
  await button(page, 'Continue').click();
  await page.getByText('Your session has ended.').waitFor();
  await signIn(page, user);
  await page.getByText('Uploaded', { exact: true }).waitFor();
  expectEachByteOnce(line.accepted);
  expect(world.problems).toEqual([]);
});
