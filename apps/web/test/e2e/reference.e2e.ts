import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type E2eWorld, holdResponse, SCREENS, seriousProblems, shoot, startE2eWorld } from './browser.ts';

const integration = createRequire(import.meta.url).resolve('@axe-core/playwright');
const AXE = readFileSync(createRequire(integration).resolve('axe-core'), 'utf8');

interface Axe {
  run(
    part: string,
    options: object,
  ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
}

/** Like `seriousProblems`, but much faster: only of the operation, in a page that keeps its axe. */
async function axeProblems(page: Page, rules?: string[]): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}) };
  return page.evaluate(async (given) => {
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run('article', given);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
  }, options);
}

/** Opens an operation without loading the page again, as the browser's buttons do. */
async function visit(page: Page, id: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState(null, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, `/docs/${id}`);
}

const idsOf = (document: { paths: Record<string, Record<string, { operationId: string }>> }) =>
  Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));

describe.each(SCREENS)('on a %s', (name, screen) => {
  let world: E2eWorld;
  beforeAll(async () => {
    world = await startE2eWorld({ rateLimit: 'off' });
  });
  afterEach(() => world.closePages());
  afterAll(() => world.close());

  const heading = (page: Page, title: string) => page.getByRole('heading', { name: title, level: 1 }).waitFor();
  const docs = (path = '') => `${world.service.url}/docs${path}`;

  test('a visitor searches an operation, and goes back and forward', async () => {
    const page = await world.open(screen);
    await page.goto(docs());
    await heading(page, 'API reference');
    expect(await page.title()).toBe('API reference · Reelay API');
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `start-${name}`);
    if (name === 'phone') await page.getByRole('button', { name: 'Operations' }).click();
    const search = page.getByRole('searchbox', { name: 'Search operations' });
    await search.fill('no such thing');
    const list = page.getByRole('navigation', { name: 'Operations' });
    await list.getByText('No operation contains “no such thing”.').waitFor();
    await search.fill('cancel post');
    await list.getByText('1 operation found').waitFor();
    await shoot(page, `search-${name}`);
    expect(await seriousProblems(page)).toEqual([]);
    await list.getByRole('link', { name: 'Cancel scheduled post' }).click();
    await heading(page, 'Cancel scheduled post');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel scheduled post');
    expect(page.url()).toBe(docs('/cancelSchedule'));
    expect(await page.title()).toBe('Cancel scheduled post · Reelay API');
    await page.goBack();
    await heading(page, 'API reference');
    await page.goForward();
    await heading(page, 'Cancel scheduled post');
    expect(world.problems).toEqual([]);
  });

  test('every operation is shown accessibly, light and dark', async () => {
    const page = await world.open(screen);
    const ids = idsOf(JSON.parse(await (await fetch(`${world.service.url}/api/v1/openapi.json`)).text()));
    await page.goto(docs('/getPost'));
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
    await page.evaluate(AXE);
    const problems: string[] = [];
    // A phone differs by its layout, not by its colors.
    for (const colorScheme of name === 'phone' ? (['light'] as const) : (['light', 'dark'] as const)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      for (const id of ids) {
        await visit(page, id);
        await page.locator(`article[data-operation="${id}"]`).waitFor();
        const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (width > 0) problems.push(`${id} is ${width} px too wide`);
        const found = await axeProblems(page, colorScheme === 'dark' ? ['color-contrast'] : undefined);
        problems.push(...found.map((each) => `${id}, ${colorScheme}, ${each}`));
      }
    }
    expect(problems).toEqual([]);
    expect(ids.length).toBeGreaterThan(60);
    expect(world.problems).toEqual([]);
  });

  test('a request with an API key is sent, and the key is not shown', async () => {
    const page = await world.open(screen);
    const { key } = await world.service.newUser();
    await page.goto(docs('/addRepost'));
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('1 field needs attention.').waitFor();
    await page.getByRole('textbox', { name: 'API key' }).fill(key);
    await page.getByRole('textbox', { name: 'Request body' }).fill('{');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('This is not valid JSON.').waitFor();
    await page.getByRole('textbox', { name: 'Request body' }).fill('{"from": "it\'s", "to": ["b"]}');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('404 Not Found').waitFor();
    await page.getByText('"unknown_platform"').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `try-key-${name}`);
    const example = page.getByRole('region', { name: 'curl' });
    expect(await example.textContent()).toContain(`'{"from": "it'\\''s", "to": ["b"]}'`);
    await page.getByText('TypeScript').click();
    expect(await page.getByRole('region', { name: 'TypeScript' }).textContent()).toContain('client.rules.add({');
    expect(await page.evaluate(() => document.body.textContent)).not.toContain(key);
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(key);
    // The key stays for the next operation, and is gone with the page.
    await visit(page, 'platforms');
    await heading(page, 'List connected platforms');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('200 OK').waitFor();
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'API key' }).inputValue()).toBe('');
    expect(world.problems).toEqual([]);
  });

  test('a session is used, and a destructive request asks first', async () => {
    const page = await world.open({ ...screen, user: true });
    await page.goto(docs('/deletePost'));
    await page.getByText(/^As .+@.+, with your session\.$/).waitFor();
    await page.getByRole('textbox', { name: 'id' }).fill('019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b');
    await page.getByRole('button', { name: 'Send' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This is a real request.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `confirm-${name}`);
    await dialog.getByRole('button', { name: 'Do not send' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByText('404 Not Found').count()).toBe(0);
    await page.getByRole('button', { name: 'Send' }).click();
    await dialog.getByRole('button', { name: 'Send the request' }).click();
    await page.getByText('404 Not Found').waitFor();
    await page.goto(docs('/checkPost'));
    await page.getByText(/with your session/).waitFor();
    await page.getByRole('textbox', { name: 'platforms' }).fill('[]');
    await page.setInputFiles('input[type=file]', { name: 'a.mp4', mimeType: 'video/mp4', buffer: Buffer.from('x') });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('400 Bad Request').waitFor();
    await shoot(page, `try-form-${name}`);
    expect(world.problems).toEqual([]);
  });

  test('a request waits until the reader is known', async () => {
    const page = await world.open({ ...screen, user: true });
    const held = await holdResponse(page, '**/get-session');
    await page.goto(docs('/platforms'));
    await held.isRead;
    const send = page.getByRole('button', { name: 'Send' });
    expect(await send.isDisabled()).toBe(true);
    held.release();
    await send.click();
    await page.getByText('200 OK').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('live updates are shown until they are stopped', async () => {
    const page = await world.open({ ...screen, user: true });
    await page.goto(docs('/liveEvents'));
    await page.getByText(/with your session/).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('"resync"', { exact: false }).last().waitFor();
    await page.getByRole('region', { name: 'Response body' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    expect(world.problems).toEqual([]);
  });

  test('a failure can be retried, and an unknown address says so', async () => {
    const page = await world.open({ ...screen, locale: 'de-DE' });
    let isDown = true;
    await page.route('**/api/v1/openapi.json', (route) => (isDown ? route.abort() : route.continue()));
    await page.goto(docs('/nothing'));
    await page.getByRole('heading', { name: 'Die Referenz konnte nicht geladen werden' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `failure-${name}`);
    isDown = false;
    await page.getByRole('button', { name: 'Noch einmal versuchen' }).click();
    await page.getByRole('heading', { name: 'Die Operation „nothing“ gibt es nicht' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Alle Operationen' }).click();
    await page.getByRole('heading', { name: 'API-Referenz', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sprache und Darstellung' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor();
    expect(world.problems).toEqual([]);
  });
});
