/** What a page shows before its scripts run, and what it requests by then. */
import { connectAccounts, expect, type Locator, type Page, test } from './fixtures.ts';
import { post } from './post-steps.ts';

/** The file of the scripts that every page needs. */
const FIRST = /\/assets\/index-[^/]+\.js$/;

/** Opens a page whose scripts arrive when `release` is called. */
async function openHeld(page: Page, path: string): Promise<{ release(): void }> {
  const held = Promise.withResolvers<void>();
  await page.route(FIRST, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return { release: () => held.resolve() };
}

interface Look {
  /** x, y and width in px. */
  place: number[];
  colors: string[];
}

async function lookOf(element: Locator, isBlock = false): Promise<Look> {
  await expect(element).toBeVisible();
  return element.evaluate((found, withWidth) => {
    const { x, y, width } = found.getBoundingClientRect();
    const { color, backgroundColor } = getComputedStyle(found);
    return { place: withWidth ? [x, y, width] : [x, y], colors: [color, backgroundColor] };
  }, isBlock);
}

function expectSame(before: Look, after: Look, what: string): void {
  expect(before.colors, what).toEqual(after.colors);
  expect(before.place.length, what).toBe(after.place.length);
  for (const [index, value] of after.place.entries())
    expect(
      Math.abs((before.place[index] ?? Number.NaN) - value),
      `${what} ${before.place} ${after.place}`,
    ).toBeLessThan(2);
}

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

for (const [name, viewport, colorScheme, locale, posts] of [
  ['a wide screen', WIDE, 'light', 'en-US', 'Posts'],
  ['a wide dark screen', WIDE, 'dark', 'de-DE', 'Beiträge'],
  ['a tablet', { width: 900, height: 900 }, 'light', 'en-US', 'Posts'],
  ['a phone', PHONE, 'light', 'de-DE', 'Beiträge'],
  ['a dark phone', PHONE, 'dark', 'en-US', 'Posts'],
] as const)
  test(`the skeleton does not move on ${name}`, { tag: '@layout' }, async ({ open, user }) => {
    const page = await open({ user, viewport, colorScheme, locale });
    const skeleton = page.locator('.skeleton');
    const current = page.locator('a[aria-current="page"]:visible');
    const { release } = await openHeld(page, '/app/');
    const shown = {
      logo: await lookOf(skeleton.locator('header img')),
      title: await lookOf(skeleton.locator('section > b:visible')),
      drop: await lookOf(skeleton.locator('.drop'), true),
      active: await lookOf(skeleton.locator('[data-name="compose"]:visible'), true),
    };
    release();
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toBeVisible();
    await expect(skeleton).toBeHidden();
    expectSame(shown.logo, await lookOf(page.locator('header img')), 'logo');
    expectSame(shown.title, await lookOf(heading), 'title');
    expectSame(shown.drop, await lookOf(page.locator('main button', { hasText: '9:16' }), true), 'drop');
    expectSame(shown.active, await lookOf(current, true), 'active');

    await page.goto('about:blank');
    const other = await openHeld(page, '/app/posts');
    await expect(skeleton.locator('section > b:visible')).toHaveText(posts, { useInnerText: true });
    const before = await lookOf(skeleton.locator('[data-name="posts"]:visible'), true);
    other.release();
    await expect(page.getByRole('heading', { name: posts, exact: true })).toBeVisible();
    expectSame(before, await lookOf(current, true), 'active');
  });

for (const [name, screen] of [
  ['a very wide screen', { viewport: { width: 1600, height: 900 } }],
  ['a wide screen', { viewport: WIDE }],
  ['a tablet', { viewport: { width: 900, height: 900 }, hasTouch: true }],
  ['a phone', { viewport: PHONE, hasTouch: true, isMobile: true, locale: 'de-DE' }],
  ['a small phone', { viewport: { width: 320, height: 780 }, colorScheme: 'dark' }],
] as const)
  test(`the newest posts are in the skeleton on ${name}`, { tag: '@layout' }, async ({ open, service, user }) => {
    await connectAccounts(user);
    const texts = ['First', 'مرحبا بالعالم', '<b>A title</b> that is too long for a row of any screen. '.repeat(3)];
    for (const text of texts) await post(service, user, text, ['tiktok']);
    const page = await open({ user, ...screen });
    const skeleton = page.locator('.skeleton');
    const { release } = await openHeld(page, '/app/posts');
    await expect(skeleton.locator('.title')).toHaveText(texts.toReversed());
    await expect(skeleton.locator('.row')).toHaveCount(texts.length);
    await expect
      .poll(() =>
        skeleton
          .locator('img.picture')
          .evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth)),
      )
      .toEqual([720, 720, 720]);
    const before = await looksOf(skeleton.locator('.title'), skeleton.locator('img.picture'), skeleton.locator('.row'));
    release();
    const list = page.getByRole('list', { name: /Posts|Beiträge/ });
    await expect(list.getByRole('link')).toHaveText(texts.toReversed());
    await expect(skeleton).toBeHidden();
    const after = await looksOf(list.getByRole('link'), list.locator('img'), list.locator('li > div'));
    expect(before).toHaveLength(after.length);
    for (const [index, look] of before.entries()) expectSame(look, after[index] ?? look, `place ${index}`);
  });

/** Titles, pictures and rows. What is below a picture is never seen. */
async function looksOf(titles: Locator, pictures: Locator, rows: Locator): Promise<Look[]> {
  const looks = (places: Locator[]) => Promise.all(places.map((place) => lookOf(place, true)));
  const shown = await looks([...(await titles.all()), ...(await rows.all())]);
  const covers = await looks(await pictures.all());
  return [...shown, ...covers.map(({ place }) => ({ place, colors: [] }))];
}

test('the skeleton stays while the session is slow', { tag: '@layout' }, async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route('**/api/auth/get-session', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.clock.install();
  const script = page.waitForResponse(FIRST);
  await page.goto('/app/');
  await (await script).finished();
  // Longer than the router waits before it shows that it is loading.
  await page.clock.runFor(5_000);
  await expect(page.locator('.skeleton')).toBeVisible();
  await expect(page.getByRole('status')).toHaveCount(0);
  await page.clock.resume();
  held.resolve();
  await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
});

for (const [path, heading, reads] of [
  ['', 'New post', ['/api/v1/platform/platforms', '/api/v1/drafts', '/api/v1/account-groups']],
  ['posts', 'Posts', ['/api/v1/platform/platforms', '/api/v1/dashboard/posts?limit=30']],
  ['accounts', 'Accounts', ['/api/v1/platform/platforms', '/api/v1/platform/catalog']],
  ['reposts', 'Reposts', ['/api/v1/platform/platforms', '/api/v1/reposts']],
  ['settings', 'Settings', []],
] as const)
  test(`/app/${path} reads everything once`, async ({ page, service, user }) => {
    await connectAccounts(user);
    const sent: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/api/')) sent.push(pathname + search);
    });
    const { release } = await openHeld(page, `/app/${path}`);
    const always = ['/api/auth/get-session', '/api/v1/events', '/api/v1/user', '/api/v1/sign-in/options'];
    const early = [...always, '/api/v1/dashboard/notifications/unread', ...reads];
    await expect.poll(() => sent.toSorted()).toEqual(early.toSorted());
    release();
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible();
    // Live updates work, and began without reading everything again.
    const unread = '/api/v1/dashboard/notifications/unread';
    for (const times of [2, 3]) {
      await service.db.query("select live_notify($1, 'notification', $1)", [user.userId]);
      await expect.poll(() => sent.filter((each) => each === unread).length).toBe(times);
    }
    expect(early.filter((each) => sent.indexOf(each) !== sent.lastIndexOf(each))).toEqual([unread]);
  });

test('a failed early request is repeated', async ({ page }) => {
  let failures = 0;
  await page.route('**/api/v1/user', (route) => (failures++ === 0 ? route.abort() : route.continue()));
  await page.goto('/app/');
  await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  expect(failures).toBeGreaterThan(1);
});

test('a page whose session has ended reads nothing', async ({ page, service, user }) => {
  await service.db.query('delete from auth.session where user_id = $1', [user.userId]);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await page.goto('/app/posts');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  const asked = sent.filter((path) => path.startsWith('/api/'));
  expect(asked.toSorted()).toEqual(['/api/auth/get-session', '/api/v1/events', '/api/v1/sign-in/options']);
});

test('a page without a session shows the sign-in page', async ({ open }) => {
  const page = await open();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  const { release } = await openHeld(page, '/app/posts');
  await expect(page.locator('.start', { hasText: 'Reelay' })).toBeVisible();
  await expect(page.locator('.skeleton')).toHaveCount(0);
  expect(sent.filter((path) => path.startsWith('/api/'))).toEqual([]);
  release();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.locator('.start')).toHaveCount(0);
});

test('a browser without scripts says what is missing', async ({ browser, service, user }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const headers = { cookie: user.cookie };
  const page = await context.newPage();
  await page.setExtraHTTPHeaders(headers);
  await page.goto(`${service.url}/app/`);
  // Playwright finds no text in this element.
  const said = await page.locator('noscript').evaluate(({ lastChild }) => lastChild?.textContent);
  expect(said?.trim()).toBe('Reelay needs JavaScript.');
  await expect(page.locator('.start')).toBeHidden();
  await context.close();
});

test('no script of the page is refused by its policy', async ({ page }) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  await page.goto('/app/');
  await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-page', 'compose');
  expect(refused).toEqual([]);
});
