import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { withFolder } from '../../../../packages/server/test/harness/folder.ts';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { DESKTOP, type E2eWorld, openWithAccounts, SCREENS, seriousProblems, shoot, startE2eWorld } from './browser.ts';

let world: E2eWorld;
let video: string;
beforeAll(async () => {
  video = await makeVideo({ seconds: 6, width: 540, height: 960, fps: 25 });
  world = await startE2eWorld();
});
afterAll(() => world.close());
afterEach(() => world.closePages());

const choose = (page: Page, path: string) => page.setInputFiles('input[type=file]', path);
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const LONG = `First line of a long description. ${'It goes on and on. '.repeat(20)}`;

async function openCompose(screen: Parameters<E2eWorld['open']>[0]): Promise<Page> {
  const page = await world.open({ ...screen, user: true });
  await page.goto(`${world.service.url}/app/`);
  return page;
}

/** Selects accounts whose platforms ask nothing. */
async function selectThree(page: Page): Promise<void> {
  for (const name of [/Facebook/, /LinkedIn/, /Mastodon/]) await page.getByRole('checkbox', { name }).click();
}

/** Keeps the text of the form that the page posts: the browser does not show it otherwise. */
async function keepPostedForm(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = async (url, init) => {
      if (String(url).endsWith('/api/v1/post') && init?.body instanceof Blob)
        Object.assign(window, { postedForm: await init.body.text() });
      return fetch(url, init);
    };
  });
  await page.reload();
}

const postedForm = (page: Page) => page.evaluate(() => String((window as { postedForm?: string }).postedForm));

describe.each(SCREENS)('on a %s', (name, screen) => {
  test('the preview looks like a feed, and the cover is posted', async () => {
    const page = await openWithAccounts(world, screen, '/');
    await keepPostedForm(page);
    await choose(page, video);
    await page.getByLabel('Description').fill(LONG);
    await selectThree(page);
    await page.getByText('Uploaded', { exact: true }).waitFor();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('button', { name: 'more' }).click();
    await preview.getByRole('button', { name: 'less' }).click();
    await page.getByLabel('Preview for').selectOption({ index: 2 });
    const chosen = await page.getByLabel('Preview for').locator('option').nth(2).textContent();
    await preview.getByText(String(chosen).replace(/^[^:]*: /, ''), { exact: true }).waitFor();

    const cover = page.getByRole('slider', { name: 'Cover' });
    await cover.focus();
    for (let presses = 0; presses < 20; presses++) await page.keyboard.press('ArrowRight');
    expect(await cover.getAttribute('aria-valuetext')).toBe('2.0 s');
    const shown = () => preview.locator('video').evaluate((element: HTMLVideoElement) => element.currentTime);
    await expect.poll(shown).toBeCloseTo(2, 1);
    // The frames of the test card differ, and none is empty.
    const frames = () =>
      page
        .locator('canvas')
        .evaluateAll((all) => new Set(all.map((each) => (each as HTMLCanvasElement).toDataURL())).size);
    await expect.poll(frames).toBe(8);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `compose-preview-${name}`);

    await preview.getByRole('button', { name: 'Play' }).click();
    await expect.poll(shown).toBeGreaterThan(2.2);
    await preview.getByRole('button', { name: 'Pause the video' }).click();
    await page.getByRole('button', { name: 'Post to 3 accounts' }).click();
    await page.getByRole('heading', { name: /Posting|Posted/ }).waitFor();
    expect(await postedForm(page)).toMatch(/name="previewTime"\r\n\r\n2\r\n/);
    expect(world.problems).toEqual([]);
  });

  test('a video that cannot be posted is explained before its upload', async () => {
    const page = await openCompose(screen);
    const begun: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/uploads')) begun.push(request.url());
    });
    await withFolder(async (folder) => {
      const [text, empty] = [join(folder, 'notes.txt'), join(folder, 'empty.mp4')];
      await writeFile(text, 'no video');
      await writeFile(empty, '');
      await choose(page, text);
      await page.getByText('The file is not a video.').waitFor();
      await choose(page, empty);
      await page.getByText('The file is empty.').waitFor();
      expect(await seriousProblems(page)).toEqual([]);
    });
    await choose(page, await makeVideo({ seconds: 1 }));
    await page.getByText(/The video is 1(\.\d+)? seconds long\. It must be/).waitFor();
    await page.getByRole('button', { name: 'Remove video' }).click();
    await choose(page, await makeVideo({ seconds: 95, picture: 'plain', audio: false, fps: 2 }));
    await page.getByText(/The video is 95(\.\d+)? seconds long\. The maximum is 90/).waitFor();
    await page.getByText('The video cannot be posted. Choose another one.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    expect(begun).toEqual([]);
    expect(world.problems).toEqual([]);
  });

  test('a video that is not vertical is posted with a fit', async () => {
    const page = await openWithAccounts(world, screen, '/');
    await keepPostedForm(page);
    await choose(page, await makeVideo({ width: 320, height: 180 }));
    await page.getByText('The video is 320 × 180, not vertical (9:16).').waitFor();
    await selectThree(page);
    await page.getByText('Choose how the video should fit.').waitFor();
    await page.getByText('Uploaded', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Post to 3 accounts' }).isDisabled()).toBe(true);
    await page.getByRole('radio', { name: 'Add bars' }).check();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `compose-fit-${name}`);
    await page.getByRole('button', { name: 'Post to 3 accounts' }).click();
    await page.getByRole('heading', { name: /Posting|Posted/ }).waitFor();
    expect(await postedForm(page)).toMatch(/name="fit"\r\n\r\npad\r\n/);
    expect(world.problems).toEqual([]);
  });

  test('a suggested time is posted, and not suggested again', async () => {
    // Where it is not nearly midnight: tomorrow must not become today meanwhile.
    const zone = new Date().getUTCHours() > 20 ? 'Asia/Tokyo' : 'Europe/Berlin';
    const page = await openWithAccounts(world, { ...screen, timezoneId: zone }, '/');
    await choose(page, video);
    await page.getByRole('checkbox', { name: /Mastodon/ }).click();
    await page.getByRole('radio', { name: 'Later' }).check();
    const suggestions = page.getByRole('group', { name: 'Suggested times' });
    const tomorrow = suggestions.getByRole('button', { name: /^Tomorrow 9:00/ });
    await tomorrow.click();
    expect(await page.getByLabel('Time', { exact: true }).inputValue()).toBe('09:00');
    await page.getByText(`Time zone: ${zone}`).waitFor();
    await page.getByText('Uploaded', { exact: true }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `compose-time-${name}`);
    await page.getByLabel('Time', { exact: true }).fill('');
    await page.getByText('Enter a date and a time.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Post to 1 account' }).isDisabled()).toBe(true);
    await tomorrow.click();
    await page.getByRole('button', { name: /^Schedule for/ }).click();
    await page.getByRole('heading', { name: 'Scheduled' }).waitFor();

    await page.goto(`${world.service.url}/app/`);
    await page.getByRole('radio', { name: 'Later' }).check();
    await suggestions.getByRole('button', { name: /^Tomorrow 10:00/ }).waitFor();
    expect(await tomorrow.count()).toBe(0);
    expect(world.problems).toEqual([]);
  });

  test('a shared video waits for the sign-in and is uploaded', async () => {
    const user = await world.service.newSession();
    const page = await world.open({ ...screen, user });
    await page.goto(`${world.service.url}/app/`);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    // The worker takes requests of pages that were loaded with it.
    await page.goto(`${world.service.url}/app/sign-in`);
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await share(page, video);
    await page.waitForURL(/\/app\/sign-in/);
    await page.context().addCookies(cookies);
    await page.goto(`${world.service.url}/app/`);
    await page.getByText('Uploaded', { exact: true }).waitFor();
    await page.getByRole('slider', { name: 'Cover' }).waitFor();
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
    expect(await seriousProblems(page)).toEqual([]);
    await page.reload();
    await page.getByText(`“${nameOf(video)}” is uploaded and ready to post.`).waitFor();

    await share(page, await makeVideo());
    await page.getByText('The draft already has a video.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Replace video' }).click();
    await page.getByText('Uploaded', { exact: true }).waitFor();
    expect(world.problems).toEqual([]);
  });
});

/** Posts a form as a phone does that shares a video with the installed page. */
async function share(page: Page, path: string): Promise<void> {
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<form method="post" action="/app/share" enctype="multipart/form-data"><input type="file" name="video" id="shared"></form>',
    );
  });
  await page.setInputFiles('#shared', path);
  const arrived = page.waitForEvent('framenavigated', (frame) => /[?&]shared=/.test(frame.url()));
  await page.evaluate(() => document.querySelector<HTMLInputElement>('#shared')?.form?.submit());
  await arrived;
}

test('the page can be installed', async () => {
  const page = await openCompose(DESKTOP);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const session = await page.context().newCDPSession(page);
  const { errors } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
});

test('without the worker, a shared video is asked for again', async () => {
  const page = await world.open({ user: true, serviceWorkers: 'block' });
  await page.goto(`${world.service.url}/app/`);
  await share(page, video);
  await page.getByText('The shared video did not arrive').waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await choose(page, video);
  await page.getByText('Uploaded', { exact: true }).waitFor();
  expect(world.problems).toEqual([]);
});
