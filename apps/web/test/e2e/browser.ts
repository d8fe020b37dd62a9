/** A service with the built dashboard, and a real browser. */
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { TestRunner } from 'vitest';
import type { Config } from '../../../../packages/server/src/config/config.ts';
import {
  type ServiceOptions,
  type SessionUser,
  startService,
  type TestService,
} from '../../../../packages/server/test/harness/service.ts';

export interface E2eWorld {
  service: TestService;
  /**
   * Opens a page of a new visitor.
   * @param options.user signs in as this user, or as a new one
   * @param options.url where the user is signed in; default: at the service
   */
  open(options?: BrowserContextOptions & { user?: boolean | SessionUser; url?: string }): Promise<Page>;
  /** What the pages logged as errors, and what they threw. */
  problems: string[];
  /** For after each test: throws what the open pages show if the test has failed. */
  showFailure(): Promise<void>;
  /** For after each test: closes the pages of all visitors. Throws what they showed if the test has failed. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

export const DESKTOP = { viewport: { width: 1280, height: 900 } } as const;
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;
/** For `describe.each`. */
export const SCREENS = [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const;

/** How long one step may take. It only ends a test that hangs. */
const LIMIT_MS = 120_000;

/** A service with the built pages. */
export function startWithPages(config: Partial<Config>, secretKey?: Buffer): Promise<TestService> {
  const options: ServiceOptions = {
    config: { sandbox: true, leastFreeBytes: 0, signup: 'open', ...config },
    overrides: { webFolder: fileURLToPath(new URL('../../dist', import.meta.url)) },
  };
  return startService(secretKey ? { ...options, secretKey } : options);
}

export async function startE2eWorld(config: Partial<Config> = {}, secretKey?: Buffer): Promise<E2eWorld> {
  const service = await startWithPages(config, secretKey);
  let browser: Browser | null = null;
  const problems: string[] = [];

  async function showFailure(): Promise<void> {
    if (TestRunner.getCurrentTest()?.result?.state !== 'fail') return;
    const pages = browser?.contexts().flatMap((context) => context.pages()) ?? [];
    throw new Error(['The open pages:', ...(await Promise.all(pages.map(textOf)))].join('\n'));
  }

  return {
    service,
    problems,
    async open({ user = false, url = service.url, ...options } = {}) {
      browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' });
      const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
      context.setDefaultTimeout(LIMIT_MS);
      if (user) {
        const { cookie } = user === true ? await service.newSession() : user;
        const cookies = cookie.split('; ').map((each) => {
          const [name = '', ...value] = each.split('=');
          return { name, value: value.join('='), url };
        });
        await context.addCookies(cookies);
      }
      const page = await context.newPage();
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        if (/Content Security Policy|hydrat|Warning:/i.test(message.text())) problems.push(message.text());
      });
      return page;
    },
    showFailure,
    async closePages() {
      try {
        await showFailure();
      } finally {
        await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
      }
    },
    async close() {
      await browser?.close();
      await service.close();
    },
  };
}

/** What a screen reader would find on the page, at most 5,000 characters. */
async function textOf(page: Page): Promise<string> {
  const text = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String);
  return `${new URL(page.url()).pathname}\n${text.slice(0, 5_000)}`;
}

/** Returns the serious accessibility problems of the page, as "rule: elements", and whether it scrolls sideways. */
export async function seriousProblems(page: Page): Promise<string[]> {
  // Contrast is computed from what is painted, and a fading element has another color.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))));
  const { violations } = await new AxeBuilder({ page }).analyze();
  const problems = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  const screen = page.viewportSize()?.width ?? width;
  return width > screen ? [...problems, `wider than the screen: ${width} px`] : problems;
}

/** Opens the page of a user, by default a new one, with a simulated account on every platform. @param path below `/app` */
export async function openWithAccounts(
  { open, service }: E2eWorld,
  visitor: Parameters<E2eWorld['open']>[0],
  path: string,
): Promise<Page> {
  const page = await open({ user: true, ...visitor });
  await page.goto(`${service.url}/app/accounts`);
  await page.getByRole('button', { name: 'Connect twelve simulated accounts' }).click();
  await page.getByText('12 connected accounts').waitFor();
  await page.goto(`${service.url}/app${path}`);
  return page;
}

/** Signs in on the page for it. */
export async function signIn(page: Page, { email, password }: Pick<SessionUser, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').first().fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
}

/** Answers what the platforms of the chosen accounts ask before each post. */
export async function answerQuestions(page: Page): Promise<void> {
  const questions = page.getByRole('region', { name: 'Questions to answer' });
  await questions.waitFor();
  for (const field of await questions.getByRole('combobox', { name: 'Who can see this video' }).all()) {
    await field.click();
    await page.getByRole('option', { name: 'Everyone' }).click();
  }
  for (const answer of await questions.getByRole('radio', { name: /not made for kids/ }).all()) await answer.check();
}

/** Keeps pictures of the page, light and dark, if a folder for them is set. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Reads the next response of a URL when the page asks for it, but passes it on only when it is released. */
export async function holdResponse(
  page: Page,
  url: string | RegExp,
): Promise<{ isRead: Promise<void>; release(): void }> {
  const isRead = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(
    url,
    async (route) => {
      const response = await route.fetch();
      isRead.resolve();
      await held.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  return { isRead: isRead.promise, release: held.resolve };
}
