/** The video of a post: its preview, cover, shape and time, and videos that other apps share. */
import { statSync } from 'node:fs';
import { editFile, makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { accountCard, postNow, schedulePost, writePost } from './compose-steps.ts';
import { connectAccounts, expect, type Page, test } from './fixtures.ts';
import { signIn, signOut } from './session-steps.ts';

const LONG = `First line of a long description. ${'It goes on and on. '.repeat(20)}`;

let video: string;
/** Sent faster, where its picture does not matter. */
let small: string;
test.beforeAll(async () => {
  video = await makeVideo({ seconds: 6, width: 540, height: 960, fps: 25 });
  small = await makeVideo();
});

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const choose = (page: Page, path: string) => page.setInputFiles('input[type=file]', path);
const uploaded = (page: Page) => page.getByText('Uploaded', { exact: true });
const previewOf = (page: Page) => page.getByRole('region', { name: 'Preview' });

/** Position of the preview in seconds. */
const positionIn = (page: Page) =>
  previewOf(page)
    .locator('video')
    .evaluate((element: HTMLVideoElement) => element.currentTime);

/** Moves the cover by tenths of a second. */
async function moveCover(page: Page, steps: number): Promise<void> {
  await page.getByRole('slider', { name: 'Cover' }).focus();
  for (let step = 0; step < steps; step++) await page.keyboard.press('ArrowRight');
}

test.describe('the preview', () => {
  test('cuts a long caption until asked for more', { tag: '@layout' }, async ({ page }) => {
    await page.goto('/app/');
    await choose(page, video);
    await page.getByLabel('Description').fill(LONG);
    const caption = previewOf(page).getByText(LONG.trim());
    const height = () => caption.evaluate((element) => element.clientHeight);
    await expect(previewOf(page).getByRole('button', { name: 'more' })).toBeVisible();
    const cut = await height();
    await previewOf(page).getByRole('button', { name: 'more' }).click();
    await expect.poll(height).toBeGreaterThan(cut);
    await previewOf(page).getByRole('button', { name: 'less' }).click();
    await expect.poll(height).toBe(cut);
  });

  test('shows the chosen cover', async ({ page }) => {
    await page.goto('/app/');
    await choose(page, video);
    await moveCover(page, 20);
    await expect(page.getByRole('slider', { name: 'Cover' })).toHaveAttribute('aria-valuetext', '2.0 s');
    await expect.poll(() => positionIn(page)).toBeCloseTo(2, 1);
  });

  test('plays the video and pauses it', async ({ page }) => {
    await page.goto('/app/');
    await choose(page, video);
    await previewOf(page).getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => positionIn(page)).toBeGreaterThan(0.2);
    await previewOf(page).getByRole('button', { name: 'Pause the video' }).click();
    await expect(previewOf(page).getByRole('button', { name: 'Play' })).toBeVisible();
  });
});

test('the video stays in sight beside a long form', async ({ page, user }) => {
  await connectAccounts(user);
  await page.setViewportSize({ width: 1_280, height: 900 });
  await page.goto('/app/');
  await choose(page, video);
  await page.getByRole('button', { name: 'Select all' }).click();
  await page.getByText('Questions to answer').scrollIntoViewIfNeeded();
  await page.getByRole('radio', { name: 'Later' }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('button', { name: 'Select none' })).not.toBeInViewport();
  await expect(previewOf(page)).toBeInViewport({ ratio: 1 });
});

test('eight frames are shown for the cover', async ({ page }) => {
  await page.goto('/app/');
  await choose(page, video);
  // The frames of the test card differ, and none is empty.
  const pictures = () =>
    page
      .locator('canvas')
      .evaluateAll((all) => new Set(all.map((each) => (each as HTMLCanvasElement).toDataURL())).size);
  await expect.poll(pictures).toBe(8);
});

test.describe('a stored video', () => {
  const ready = (page: Page, path: string) =>
    expect(page.getByText(`“${nameOf(path)}” is uploaded and ready to post.`)).toBeVisible();

  test('is shown after a reload, at its cover', async ({ page }) => {
    // Larger than what is sent at once.
    const large = await makeVideo({ seconds: 8, width: 1080, height: 1920, fps: 25, extra: ['-b:v', '12M'] });
    expect(statSync(large).size).toBeGreaterThan(8 * 1024 * 1024);
    await page.goto('/app/');
    await choose(page, large);
    await expect(uploaded(page)).toBeVisible();
    await page.reload();
    await ready(page, large);
    await page.getByRole('slider', { name: 'Cover' }).focus();
    await page.keyboard.press('End');
    await expect.poll(() => positionIn(page)).toBeGreaterThan(7.5);
    await page.keyboard.press('Home');
    await expect.poll(() => positionIn(page)).toBe(0);
    await previewOf(page).getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => positionIn(page)).toBeGreaterThan(0.2);
  });

  test('must fit, as a chosen one', async ({ page }) => {
    const wide = await makeVideo({ width: 320, height: 180 });
    await page.goto('/app/');
    await choose(page, wide);
    await expect(uploaded(page)).toBeVisible();
    await page.reload();
    await ready(page, wide);
    await expect(page.getByText(/not vertical \(9:16\)\. Choose how it should fit/)).toBeVisible();
  });

  test('that the browser cannot play gets a small version', async ({ page }) => {
    const unplayable = await makeVideo({ width: 320, height: 180, extension: 'avi' });
    await page.goto('/app/');
    await choose(page, unplayable);
    await expect(page.getByText(/^This browser cannot play the video/)).toBeVisible();
    const isPlayable = async () => {
      await expect(page.getByText('The video is not vertical (9:16). Choose how it should fit:')).toBeVisible();
      await page.getByRole('slider', { name: 'Cover' }).focus();
      await page.keyboard.press('End');
      await expect.poll(() => positionIn(page)).toBeGreaterThan(3.5);
    };
    await isPlayable();
    await page.reload();
    await ready(page, unplayable);
    await isPlayable();
  });

  test('without a picture has no preview', async ({ page }) => {
    const broken = await editFile(await makeVideo(), (bytes) => bytes.fill(7));
    await page.goto('/app/');
    await choose(page, broken);
    await expect(page.getByText(/^There is no preview/)).toBeVisible();
    await expect(page.getByRole('slider', { name: 'Cover' })).toHaveCount(0);
  });
});

test('the chosen cover is posted', async ({ page, user, service }) => {
  await connectAccounts(user);
  await page.goto('/app/');
  await writePost(page, { video: small, description: 'With a cover', platforms: ['Mastodon'], coverSteps: 20 });
  await postNow(page);
  await expect(page.getByRole('heading', { name: /Posting|Posted/ })).toBeVisible();
  expect(await service.db.query('select preview_time_ms as cover from post where user_id = $1', [user.userId])).toEqual(
    [{ cover: 2_000 }],
  );
});

test('a video of a wrong length is not uploaded', async ({ page }) => {
  const begun: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/uploads')) begun.push(request.url());
  });
  await page.goto('/app/');
  await choose(page, await makeVideo({ seconds: 1 }));
  await expect(page.getByText(/The video is 1(\.\d+)? seconds long\. It must be/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove video' }).click();
  const tiny = { picture: 'plain', width: 90, height: 160, audio: false } as const;
  await choose(page, await makeVideo({ ...tiny, seconds: 610, fps: 1 }));
  await expect(page.getByText(/The video is 610(\.\d+)? seconds long\. A post can have 90 seconds/)).toBeVisible();
  await expect(page.getByText('The video cannot be posted. Choose another one.')).toBeVisible();
  expect(begun).toEqual([]);
});

test('an error about a video leaves with it', async ({ page, user }) => {
  await connectAccounts(user);
  await page.goto('/app/');
  await accountCard(page, 'Bluesky').check();
  await page.setInputFiles('input[type=file]', {
    name: 'broken.mp4',
    mimeType: 'video/mp4',
    buffer: Buffer.alloc(5_000, 7),
  });
  const error = page.getByText(/Unknown file format/);
  await postNow(page);
  await expect(error.first()).toBeVisible();
  await page.getByRole('button', { name: 'Remove video' }).click();
  await expect(error).toHaveCount(0);
  await choose(page, small);
  await expect(uploaded(page)).toBeVisible();
  await expect(error).toHaveCount(0);
});

test('a part of a long video is posted', async ({ page, user, service }) => {
  await connectAccounts(user);
  const long = await makeVideo({ seconds: 100, fps: 2, width: 90, height: 160, picture: 'plain' });
  await page.goto('/app/');
  await writePost(page, { video: long, description: 'In part', platforms: ['Mastodon'] });
  const [start, end] = ['Start', 'End'].map((name) => page.getByRole('slider', { name, exact: true }));
  await expect(page.getByText('0:00.0 to 1:30.0, 90.0 s')).toBeVisible();
  await start?.fill('60.5');
  await end?.fill('64');
  await expect(page.getByText('1:00.5 to 1:04.0, 3.5 s')).toBeVisible();
  await expect.poll(() => positionIn(page)).toBeCloseTo(64, 0);
  // The cover is a position in the part.
  await moveCover(page, 20);
  await expect.poll(() => positionIn(page)).toBeCloseTo(62.5, 0);
  await postNow(page);
  await expect(page.getByRole('heading', { name: /Posting|Posted/ })).toBeVisible();
  const [posted] = await service.db.query<{ ms: number; cover: number }>(
    `select (m.facts->>'durationMs')::integer as ms, p.preview_time_ms as cover
     from post p join media m on m.id = p.media_id where p.user_id = $1`,
    [user.userId],
  );
  expect(Math.abs((posted?.ms ?? 0) - 3_500)).toBeLessThanOrEqual(60);
  expect(posted?.cover).toBe(2_000);
});

test('a short video is trimmed on request', async ({ page }) => {
  await page.goto('/app/');
  await choose(page, video);
  await page.getByRole('button', { name: 'Trim' }).click();
  const end = page.getByRole('slider', { name: 'End', exact: true });
  await end.focus();
  for (let step = 0; step < 10; step++) await page.keyboard.press('ArrowLeft');
  await expect(page.getByText('0:00.0 to 0:05.0, 5.0 s')).toBeVisible();
  await page.getByRole('button', { name: 'Post the whole video' }).click();
  await expect(page.getByRole('button', { name: 'Trim' })).toBeVisible();
  await expect(end).toHaveCount(0);
});

/** Keeps the form of the next post in the page, and does not send it: the service would convert the video, which takes long. */
async function keepForm(page: Page): Promise<() => Promise<string>> {
  // The browser does not show the body of a request that it reads from files.
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = async (url, init) => {
      if (String(url).endsWith('/api/v1/post') && init?.body instanceof Blob)
        Object.assign(window, { postedForm: await init.body.text() });
      return fetch(url, init);
    };
  });
  await page.route('**/api/v1/post', () => {});
  return () => page.evaluate(() => String((window as { postedForm?: string }).postedForm));
}

test('a cropped video is sent with its frame', async ({ page, user }) => {
  await connectAccounts(user);
  const form = await keepForm(page);
  await page.goto('/app/');
  const wide = await makeVideo({ width: 320, height: 180 });
  await writePost(page, { video: wide, description: 'Wide', platforms: ['Mastodon'] });
  await page.getByRole('radio', { name: 'Crop' }).check();
  const frame = page.getByRole('slider', { name: 'Frame' });
  await expect(frame).toHaveAttribute('aria-valuetext', '50%');
  await frame.focus();
  await page.keyboard.press('Home');
  await expect(previewOf(page).locator('video')).toHaveCSS('object-position', '0% 0%');
  await expect(uploaded(page)).toBeVisible();
  await postNow(page);
  await expect.poll(form).toMatch(/name="fit"\r\n\r\ncrop\r\n/);
  expect(await form()).toMatch(/name="cropPosition"\r\n\r\n0\r\n/);
});

test('a wide video is sent with its fit', async ({ page, user }) => {
  await connectAccounts(user);
  const form = await keepForm(page);
  await page.goto('/app/');
  const wide = await makeVideo({ width: 320, height: 180 });
  await writePost(page, { video: wide, description: 'Wide', platforms: ['Mastodon'] });
  await expect(page.getByText('The video is 320 × 180, not vertical (9:16).')).toBeVisible();
  await expect(uploaded(page)).toBeVisible();
  await expect(page.getByText('Choose how the video should fit.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Post to 1 account' })).toBeDisabled();
  await page.getByRole('radio', { name: 'Add bars' }).check();
  await postNow(page);
  await expect.poll(form).toMatch(/name="fit"\r\n\r\npad\r\n/);
});

test('a suggested time is scheduled', async ({ page, user, service }) => {
  await connectAccounts(user);
  await page.goto('/app/');
  await writePost(page, { video: small, description: 'Tomorrow', platforms: ['Mastodon'] });
  await page.getByRole('radio', { name: 'Later' }).check();
  const suggestions = page.getByRole('group', { name: 'Suggested times' });
  await suggestions.getByRole('button', { name: /^Tomorrow 9:00\sAM/ }).click();
  await expect(page.getByLabel('Time', { exact: true })).toHaveValue('09:00');
  await schedulePost(page);
  await expect(page.getByRole('heading', { name: 'Scheduled' })).toBeVisible();
  const times = `select to_char(date at time zone 'UTC', 'HH24:MI') as time from post where user_id = $1`;
  expect(await service.db.query(times, [user.userId])).toEqual([{ time: '09:00' }]);
});

test.describe('a shared video', () => {
  /** Posts a form as a phone does that shares a video with the installed page. */
  async function share(page: Page, path: string, fields: Record<string, string> = {}): Promise<void> {
    await page.evaluate((given) => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<form method="post" action="/app/share" enctype="multipart/form-data"><input type="file" name="video" id="shared"></form>',
      );
      const form = document.querySelector<HTMLInputElement>('#shared')?.form;
      for (const [name, value] of Object.entries(given)) {
        const field = document.createElement('textarea');
        Object.assign(field, { name, value });
        form?.append(field);
      }
    }, fields);
    await page.setInputFiles('#shared', path);
    const arrived = page.waitForEvent('framenavigated', (frame) => /[?&]shared=/.test(frame.url()));
    await page.evaluate(() => document.querySelector<HTMLInputElement>('#shared')?.form?.submit());
    await arrived;
  }

  /** Opens the page with its worker, which takes requests of pages that were loaded with it. */
  async function openWithWorker(page: Page): Promise<void> {
    await page.goto('/app/');
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.reload();
    await expect(page.getByLabel('Description')).toBeVisible();
  }

  /** Answers the question that precedes every upload. */
  async function accept(page: Page): Promise<void> {
    await expect(page.getByText('Only use videos that you have shared yourself.')).toBeVisible();
    await expect(page.locator('video')).toHaveCount(0);
    await page.getByRole('button', { name: 'Use video' }).click();
  }
  /** Names of the caches of shared videos. */
  const cachesOf = (page: Page) =>
    page.evaluate(async () => (await caches.keys()).filter((name) => !name.startsWith('reelay-offline-')));

  test('is uploaded after a question, and then kept no longer', async ({ page }) => {
    await openWithWorker(page);
    await share(page, video);
    await accept(page);
    await expect(uploaded(page)).toBeVisible();
    await expect(page.getByRole('slider', { name: 'Cover' })).toBeVisible();
    await expect.poll(() => cachesOf(page)).toEqual([]);
    await page.reload();
    await expect(page.getByText(`“${nameOf(video)}” is uploaded and ready to post.`)).toBeVisible();
  });

  test('is not uploaded again if it was left behind', async ({ page }) => {
    await openWithWorker(page);
    await share(page, video);
    await expect(page.getByRole('button', { name: 'Use video' })).toBeVisible();
    await page.evaluate(async () => {
      const shared = await caches.match('/app/shared-video');
      await caches.open('copy').then((copy) => copy.put('/app/chosen-video', shared as Response));
    });
    await accept(page);
    await expect(uploaded(page)).toBeVisible();
    await expect.poll(() => cachesOf(page)).toEqual(['copy']);
    await page.evaluate(async () => {
      const left = await caches.match('/app/chosen-video');
      await caches.open('reelay-shared').then((cache) => cache.put('/app/chosen-video', left as Response));
      await caches.delete('copy');
    });
    await page.reload();
    await expect.poll(() => cachesOf(page)).toEqual([]);
    await expect(page.getByText(`“${nameOf(video)}” is uploaded and ready to post.`)).toBeVisible();
  });

  test('brings its text, unless there is one', async ({ page }) => {
    const description = page.getByLabel('Description');
    await openWithWorker(page);
    await share(page, video, { title: 'clip.mp4', text: 'Aurora 🌌', url: 'https://example.org/a' });
    await accept(page);
    await expect(description).toHaveValue('Aurora 🌌\nhttps://example.org/a');
    await description.fill('My own');
    await expect(uploaded(page)).toBeVisible();
    await share(page, small, { text: 'Another one' });
    await page.getByRole('button', { name: 'Replace video' }).click();
    await expect(page.getByRole('button', { name: 'Replace video' })).toBeHidden();
    await expect(description).toHaveValue('My own');
  });

  test('waits for the sign-in', async ({ page }) => {
    await openWithWorker(page);
    await page.goto('/app/sign-in');
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await share(page, video);
    await expect(page).toHaveURL(/\/app\/sign-in/);
    await page.context().addCookies(cookies);
    await page.goto('/app/');
    await accept(page);
    await expect(uploaded(page)).toBeVisible();
  });

  test('is deleted at a sign-out', async ({ page }) => {
    await openWithWorker(page);
    await share(page, video);
    await expect(page.getByRole('button', { name: 'Use video' })).toBeVisible();
    await signOut(page);
    await expect.poll(() => cachesOf(page)).toEqual([]);
  });

  test('is deleted when another user signs in', async ({ page, service }) => {
    const other = await service.newSession();
    await openWithWorker(page);
    await share(page, video);
    await expect(page.getByRole('button', { name: 'Use video' })).toBeVisible();
    await page.context().clearCookies();
    await page.goto('/app/');
    await signIn(page, other);
    await expect(page.getByLabel('Description')).toBeVisible();
    await expect.poll(() => cachesOf(page)).toEqual([]);
    await expect(page.getByRole('button', { name: 'Use video' })).toBeHidden();
  });

  test('replaces another one only after a question', async ({ page }) => {
    await openWithWorker(page);
    await choose(page, video);
    await expect(uploaded(page)).toBeVisible();
    await share(page, small);
    await expect(page.getByText('The draft already has a video.')).toBeVisible();
    await expect(page.getByText(`“${nameOf(video)}” is uploaded and ready to post.`)).toBeVisible();
    await page.getByRole('button', { name: 'Replace video' }).click();
    await expect(uploaded(page)).toBeVisible();
    await page.reload();
    await expect(page.getByText(`“${nameOf(small)}” is uploaded and ready to post.`)).toBeVisible();
  });

  test.describe('without the worker', () => {
    test.use({ serviceWorkers: 'block' });

    test('is asked for again', async ({ page }) => {
      await page.goto('/app/');
      await share(page, video);
      await expect(page.getByText('The shared video did not arrive')).toBeVisible();
      await choose(page, video);
      await expect(uploaded(page)).toBeVisible();
    });
  });
});

test('the page can be installed', async ({ page }) => {
  await page.goto('/app/');
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const session = await page.context().newCDPSession(page);
  const { errors } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
});
