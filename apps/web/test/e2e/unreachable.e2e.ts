/** Pages that cannot be loaded, because the service is down or the device is offline. */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectAccessible } from './accessibility.ts';
import { connectAccounts, expect, type Page, type TestService, test } from './fixtures.ts';

interface Gate {
  url: string;
  /** Forwards; or disconnects; or responds itself, as a proxy does. */
  state: 'open' | 'closed' | { status: number; headers?: Record<string, string>; body: string };
  /** Ends all connections. */
  disconnect(): void;
  close(): void;
}

/** A reverse proxy in front of the service. */
async function openGate({ url }: TestService): Promise<Gate> {
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (gate.state === 'closed') return void request.socket.destroy();
    if (gate.state !== 'open') {
      const { status, headers, body } = gate.state;
      return void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
    }
    const { method, headers, url: path } = request;
    const forwarded = send(new URL(path ?? '/', url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state: 'open' as Gate['state'],
    disconnect: () => server.closeAllConnections(),
    close: () => void server.close().closeAllConnections(),
  };
  return gate;
}

let gate: Gate;
test.beforeEach(async ({ service }) => {
  gate = await openGate(service);
});
test.afterEach(() => gate.close());

const notice = (page: Page) => page.getByRole('heading', { name: 'Reelay cannot be reached' });
const retry = (page: Page) => page.getByRole('button', { name: 'Try again' });

/** Opens a page, and waits until its worker is in charge of the next one. */
async function openWithWorker(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state === 'activated') return;
    await new Promise<void>((done) => active?.addEventListener('statechange', () => done(), { once: true }));
  });
}

test('a page returns when the server is back', { tag: '@layout' }, async ({ open, user }) => {
  const page = await open({ user, url: gate.url });
  await openWithWorker(page, '/app/');
  await page.getByLabel('Description').fill('Typed before');
  gate.state = 'closed';
  await page.reload();
  await expect(notice(page)).toBeVisible();
  await expect(page.getByText('The server does not answer.')).toBeVisible();
  await expect(page).toHaveTitle('Reelay cannot be reached');
  await retry(page).click();
  await expect(page.getByText('This page keeps trying')).toBeVisible();
  gate.state = 'open';
  await expect(page.getByLabel('Description')).toHaveValue('Typed before');
});

test('the button of the unreachable page tries at once', async ({ open }) => {
  const page = await open({ url: gate.url });
  await openWithWorker(page, '/app/sign-in');
  await page.clock.install();
  gate.state = 'closed';
  await page.goto('/app/sign-in');
  await expect(notice(page)).toBeVisible();
  gate.state = 'open';
  await retry(page).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
});

test('an offline device is named as the reason', async ({ page }) => {
  await openWithWorker(page, '/app/posts');
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByText('This device is not connected to the internet.')).toBeVisible();
  await expect(page).toHaveURL(/\/app\/posts$/);
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { name: 'Posts', exact: true })).toBeVisible();
});

for (const status of [502, 503, 504])
  test(`a proxy's bare ${status} is replaced by our page`, async ({ open, user }) => {
    const page = await open({ user, url: gate.url });
    await openWithWorker(page, '/app/');
    gate.state = { status, body: 'Bad gateway' };
    await page.reload();
    await expect(notice(page)).toBeVisible();
    gate.state = 'open';
    await retry(page).click();
    await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  });

test("a proxy's maintenance page is shown", async ({ open, user }) => {
  const page = await open({ user, url: gate.url });
  await openWithWorker(page, '/app/');
  gate.state = { status: 503, headers: { 'retry-after': '3600' }, body: 'Back at noon' };
  await page.reload();
  await expect(page.getByText('Back at noon')).toBeVisible();
});

test('the notice of a lost connection leaves Post uncovered', { tag: '@layout' }, async ({ open, user }) => {
  await connectAccounts(user);
  const page = await open({ user, url: gate.url });
  await page.goto('/app/');
  // The form is higher than the screen, so its bar covers a part of it.
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 600 });
  const button = page.getByRole('button', { name: /^Post/ });
  await expect(button).toBeVisible();
  gate.state = 'closed';
  gate.disconnect();
  const warning = page.getByText('Connection lost');
  await expect(warning).toBeVisible();
  const above = async () => {
    const [lower, upper] = await Promise.all([button.boundingBox(), warning.boundingBox()]);
    return lower && upper ? lower.y - (upper.y + upper.height) : null;
  };
  await expect.poll(above).toBeGreaterThan(0);
});

test('the unreachable page is accessible in German', { tag: '@layout' }, async ({ open, user }) => {
  const page = await open({ user, url: gate.url, locale: 'de-DE' });
  await openWithWorker(page, '/app/');
  gate.state = 'closed';
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Reelay ist nicht erreichbar' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expectAccessible(page, 'unreachable');
});

test('a new build is shown after a reload', async ({ open, user }) => {
  const page = await open({ user, url: gate.url });
  await openWithWorker(page, '/app/');
  await page.reload();
  gate.state = { status: 200, body: '<title>Next build</title>' };
  await page.reload();
  await expect(page).toHaveTitle('Next build');
});
