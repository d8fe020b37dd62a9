/** Pages in their normal states: the browser logs no error or warning, and no request fails. */
import type { BrowserContext, Request } from '@playwright/test';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { untilSettled } from '../../../../packages/server/test/post/world.ts';
import { connectAccounts, expect, type Page, test } from './fixtures.ts';
import { inHours, post } from './post-steps.ts';

/** The stream of events, which ends when a page is left. */
const isStream = (address: string) => new URL(address).pathname === '/api/v1/events';
/** A player asks for parts of a video, and drops requests that it no longer needs. */
function isPlayed(address: string): boolean {
  const { protocol, pathname } = new URL(address);
  return protocol === 'blob:' || pathname.endsWith('/video') || pathname.startsWith('/sandbox/media/');
}

interface Watched {
  /** What the browser logs, and requests without a good response. */
  found: string[];
  /** Requests without a response. */
  open(): number;
}

function watchPage(page: Page): Watched {
  const found: string[] = [];
  let open = 0;
  const count = (change: number) => (request: Request) => {
    if (!isStream(request.url())) open += change;
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) found.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => found.push(`thrown: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) found.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on('request', count(1)).on('requestfinished', count(-1)).on('requestfailed', count(-1));
  page.on('requestfailed', (request) => {
    if (isStream(request.url()) || isPlayed(request.url())) return;
    found.push(`${request.failure()?.errorText} ${request.method()} ${request.url()}`);
  });
  return { found, open: () => open };
}

const PAGES = ['/app/', '/app/posts', '/app/calendar', '/app/accounts', '/app/reposts', '/app/settings'];
const OPERATOR_PAGES = [
  ...['users', 'platforms', 'queue', 'storage', 'doctor', 'audit'].map((name) => `/app/operator/${name}`),
  '/app/sandbox',
];

const untilIdle = (page: Page) => page.evaluate(() => new Promise((settled) => requestIdleCallback(settled)));

/** Opens each page, and waits until it has loaded all that it shows. @returns what was wrong, by page */
async function visit(context: BrowserContext, paths: readonly string[]): Promise<Record<string, string[]>> {
  const wrong: Record<string, string[]> = {};
  for (const path of paths) {
    const page = await context.newPage();
    const { found, open } = watchPage(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect.poll(open).toBe(0);
    await untilIdle(page);
    await expect.poll(open).toBe(0);
    if (found.length > 0) wrong[path] = [...found];
    await page.close();
  }
  return wrong;
}

test.describe('the console stays empty', () => {
  test('for a visitor', async ({ open }) => {
    const page = await open();
    expect(await visit(page.context(), ['/app/sign-in', '/docs', '/docs/getPost', '/docs/addRepost'])).toEqual({});
  });

  test('for a new user', async ({ page }) => {
    expect(await visit(page.context(), [...PAGES, '/docs/getPost'])).toEqual({});
  });

  test('for a user with posts', async ({ page, user, service }) => {
    await connectAccounts(user);
    const posted = await post(service, user, 'First light', ['mastodon', 'bluesky']);
    const scheduled = await post(service, user, 'Low tide', ['mastodon'], { at: inHours(30) });
    await untilSettled(service, posted);
    const own = [`/app/posts/${posted}`, `/app/posts/${scheduled}`, `/app/posts/${scheduled}/edit`];
    expect(await visit(page.context(), [...PAGES, ...own])).toEqual({});
  });

  test('for the operator', async ({ open, operator }) => {
    const page = await open({ user: operator });
    expect(await visit(page.context(), OPERATOR_PAGES)).toEqual({});
  });

  test('while a video is uploaded and removed', async ({ page, user }) => {
    await connectAccounts(user);
    const { found } = watchPage(page);
    await page.goto('/app/');
    await page.setInputFiles('input[type=file]', await makeVideo({ seconds: 6, width: 540, height: 960, fps: 25 }));
    await expect(page.getByText('Uploaded', { exact: true })).toBeVisible();
    await expect(page.getByRole('slider', { name: 'Cover' })).toBeVisible();
    const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Remove video' }).click();
    await removed;
    await expect(page.getByText(/choose one/)).toBeVisible();
    expect(found).toEqual([]);
  });
});
