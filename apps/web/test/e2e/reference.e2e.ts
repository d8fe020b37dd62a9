/** The API reference: its pages, and requests sent from them. */
import { expect, type Page, test } from './fixtures.ts';
import { holdResponse } from './hold-response.ts';

const UNKNOWN_POST = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
const withSession = (page: Page) => page.getByText(/^As .+@.+, with your session\.$/);

/** Opens an operation without loading the page again, as the browser's buttons do. */
async function visit(page: Page, id: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState(null, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, `/docs/${id}`);
}

interface Operation {
  operationId: string;
  summary: string;
}

async function operationsOf(url: string): Promise<Operation[]> {
  const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
    await (await fetch(`${url}/api/v1/openapi.json`)).text(),
  );
  return Object.values(document.paths).flatMap((methods) => Object.values(methods));
}

/** Counts the requests of a page by method. */
function watchRequests(page: Page, method: string): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === method) count++;
  });
  return () => count;
}

test.describe('a visitor', () => {
  test.use({ signedIn: false });

  test('searches an operation and opens it', { tag: '@layout' }, async ({ page, isMobile }) => {
    await page.goto('/docs');
    await expect(heading(page, 'API reference')).toBeVisible();
    await expect(page).toHaveTitle('API reference · Reelay API');
    if (isMobile) await page.getByRole('button', { name: 'Operations' }).click();
    const search = page.getByRole('searchbox', { name: 'Search operations' });
    const list = page.getByRole('navigation', { name: 'Operations' });
    await search.fill('no such thing');
    await expect(list.getByText('No operation contains “no such thing”.')).toBeVisible();
    await search.fill('cancelSchedule');
    await expect(list.getByText('1 operation found')).toBeVisible();
    await list.getByRole('link', { name: 'Cancel scheduled post' }).click();
    await expect(page.locator('h1:focus')).toHaveText('Cancel scheduled post');
    await expect(page).toHaveURL('/docs/cancelSchedule');
    await expect(page).toHaveTitle('Cancel scheduled post · Reelay API');
    if (isMobile) await expect(search).toBeHidden();
  });

  test('goes back and forward between operations', async ({ page }) => {
    await page.goto('/docs');
    await page.getByRole('link', { name: 'Cancel scheduled post' }).first().click();
    await expect(heading(page, 'Cancel scheduled post')).toBeVisible();
    await page.goBack();
    await expect(heading(page, 'API reference')).toBeVisible();
    await page.goForward();
    await expect(heading(page, 'Cancel scheduled post')).toBeVisible();
  });

  test('sees every operation within the screen', { tag: '@layout' }, async ({ page, service }) => {
    const operations = await operationsOf(service.url);
    expect(operations.length).toBeGreaterThan(60);
    await page.goto('/docs/getPost');
    await expect(page.getByRole('heading', { name: 'Try it' })).toBeVisible();
    for (const { operationId, summary } of operations) {
      await visit(page, operationId);
      await expect(page.locator(`article[data-operation="${operationId}"] h1`)).toHaveText(summary);
      const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await expect.poll(tooWide, operationId).toBeLessThanOrEqual(0);
    }
  });

  test('retries when the reference could not be loaded', async ({ page }) => {
    let isDown = true;
    await page.route('**/api/v1/openapi.json', (route) => (isDown ? route.abort() : route.continue()));
    await page.goto('/docs/getPost');
    await expect(heading(page, 'The reference could not be loaded')).toBeVisible();
    isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Try it' })).toBeVisible();
  });

  test('goes from an unknown address to all operations', async ({ page }) => {
    await page.goto('/docs/nothing');
    await expect(heading(page, 'There is no operation “nothing”')).toBeVisible();
    await page.getByRole('link', { name: 'All operations' }).click();
    await expect(heading(page, 'API reference')).toBeVisible();
  });

  test('reads in the browser’s language, or changes it', async ({ open }) => {
    const page = await open({ locale: 'de-DE' });
    await page.goto('/docs');
    await expect(heading(page, 'API-Referenz')).toBeVisible();
    await page.getByRole('button', { name: 'Sprache und Darstellung' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await expect(heading(page, 'API reference')).toBeVisible();
  });
});

test.describe('a request with an API key', () => {
  test.use({ signedIn: false });

  const keyField = (page: Page) => page.getByRole('textbox', { name: 'API key' });
  const body = (page: Page) => page.getByRole('textbox', { name: 'Request body' });

  test('is not sent before it is complete', async ({ page }) => {
    await page.goto('/docs/addRepost');
    await expect(page.getByRole('heading', { name: 'Try it' })).toBeVisible();
    const sent = watchRequests(page, 'POST');
    await send(page).click();
    await expect(page.getByText('1 field needs attention.')).toBeVisible();
    await keyField(page).fill('rl_key');
    await body(page).fill('{');
    await send(page).click();
    await expect(page.getByText('This is not valid JSON.')).toBeVisible();
    expect(sent()).toBe(0);
    await body(page).fill('{}');
    await send(page).click();
    await expect(page.getByText('401 Unauthorized')).toBeVisible();
    expect(sent()).toBe(1);
  });

  test('shows the response, and hides the key', { tag: '@layout' }, async ({ page, service }) => {
    const { key } = await service.newUser();
    await page.goto('/docs/addRepost');
    await keyField(page).fill(key);
    await body(page).fill('{"from": "a", "to": ["b"]}');
    await send(page).click();
    await expect(page.getByText('404 Not Found')).toBeVisible();
    await expect(page.getByText('"unknown_platform"')).toBeVisible();
    await expect(page.getByRole('region', { name: 'curl' })).toContainText('Authorization');
    await expect(page.locator('body')).not.toContainText(key);
    const stored = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    await expect.poll(stored).not.toContain(key);
  });

  test('has examples for curl and TypeScript', async ({ page }) => {
    await page.goto('/docs/addRepost');
    await body(page).fill('{"from": "it\'s", "to": ["b"]}');
    await expect(page.getByRole('region', { name: 'curl' })).toContainText(`'{"from": "it'\\''s", "to": ["b"]}'`);
    await page.getByText('TypeScript').click();
    await expect(page.getByRole('region', { name: 'TypeScript' })).toContainText('client.rules.add({');
  });

  test('keeps the key until the page is closed', async ({ page, service }) => {
    const { key } = await service.newUser();
    await page.goto('/docs/addRepost');
    await keyField(page).fill(key);
    await visit(page, 'platforms');
    await expect(heading(page, 'List connected platforms')).toBeVisible();
    await send(page).click();
    await expect(page.getByText('200 OK')).toBeVisible();
    await page.reload();
    await expect(keyField(page)).toHaveValue('');
  });
});

test.describe('a request with a session', () => {
  test('asks first when it is destructive', { tag: '@layout' }, async ({ page }) => {
    await page.goto('/docs/deletePost');
    await expect(withSession(page)).toBeVisible();
    const sent = watchRequests(page, 'DELETE');
    await page.getByRole('textbox', { name: 'id' }).fill(UNKNOWN_POST);
    await send(page).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('This is a real request.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Do not send' }).click();
    await expect(dialog).toBeHidden();
    await send(page).click();
    await dialog.getByRole('button', { name: 'Send the request' }).click();
    await expect(page.getByText('404 Not Found')).toBeVisible();
    expect(sent()).toBe(1);
  });

  test('sends a form with a file', async ({ page }) => {
    await page.goto('/docs/checkPost');
    await expect(withSession(page)).toBeVisible();
    await page.getByRole('textbox', { name: 'platforms' }).fill('[]');
    await page.setInputFiles('input[type=file]', { name: 'a.mp4', mimeType: 'video/mp4', buffer: Buffer.from('x') });
    await send(page).click();
    await expect(page.getByText('400 Bad Request')).toBeVisible();
  });

  test('waits until the reader is known', async ({ page }) => {
    const held = await holdResponse(page, '**/get-session');
    await page.goto('/docs/platforms');
    await held.isRead;
    await expect(send(page)).toBeDisabled();
    held.release();
    await expect(withSession(page)).toBeVisible();
    await send(page).click();
    await expect(page.getByText('200 OK')).toBeVisible();
  });

  test('shows live updates until it is stopped', async ({ page }) => {
    await page.goto('/docs/liveEvents');
    await expect(withSession(page)).toBeVisible();
    await send(page).click();
    await expect(page.getByRole('region', { name: 'Response body' })).toContainText('"resync"');
    const stop = page.getByRole('button', { name: 'Stop' });
    await stop.click();
    await expect(stop).toBeHidden();
    await expect(send(page)).toBeEnabled();
  });
});
