/**
 * Fixtures of the browser tests. Each worker has one browser and one service; each test has a user of its own, and `page`
 * is signed in as that user. A test that restarts the service, needs the first user, settings of the operator or faults of
 * the sandbox has a service of its own: `test.use({ serviceConfig: {} })`.
 */
import { fileURLToPath } from 'node:url';
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
  type Page,
  type Request,
} from '@playwright/test';
import type { Config } from '../../../../packages/server/src/config/config.ts';
import { type SessionUser, startService, type TestService } from '../../../../packages/server/test/harness/service.ts';
import { slowDown } from './slow.ts';

export { expect } from '@playwright/test';
export type { Locator, Page, Request, SessionUser, TestService };

export interface OpenOptions extends BrowserContextOptions {
  /** Signs in as this user. Default: nobody. */
  user?: SessionUser;
  /** Of the service, or of a proxy in front of it. */
  url?: string;
}

interface TestFixtures {
  /** Settings of a service of its own; null: the service of the worker. */
  serviceConfig: Partial<Config> | null;
  service: TestService;
  /** The first user of the service. Tests on the service of the worker must not change it. */
  operator: SessionUser;
  /** A new user. */
  user: SessionUser;
  /** Whether `page` is signed in as `user`. */
  signedIn: boolean;
  /** What the pages logged as errors, and what they threw. After the test, it must be empty. */
  problems: string[];
  /** Opens a page in a browser context of its own, with the screen of the project. Paths are relative to the service. */
  open(options?: OpenOptions): Promise<Page>;
}

interface WorkerFixtures {
  shared: { service: TestService; operator: SessionUser };
}

/** A service with the built pages. */
export function startWithPages(config: Partial<Config> = {}, secretKey?: Buffer): Promise<TestService> {
  return startService({
    config: { sandbox: true, leastFreeBytes: 0, signup: 'open', ...config },
    overrides: { webFolder: fileURLToPath(new URL('../../dist', import.meta.url)) },
    ...(secretKey ? { secretKey } : {}),
  });
}

/** Connects a simulated account on each of the twelve platforms. */
export async function connectAccounts(user: SessionUser): Promise<void> {
  const { status } = await user.post('/accounts/connect-sandbox');
  if (status !== 200) throw new Error(`The accounts were not connected: ${status}`);
}

async function signInTo(context: BrowserContext, { cookie }: SessionUser, url: string): Promise<void> {
  const cookies = cookie.split('; ').map((each) => {
    const [name = '', ...value] = each.split('=');
    return { name, value: value.join('='), url };
  });
  await context.addCookies(cookies);
}

/** Collects what is wrong in the pages of a context. */
function watch(context: BrowserContext, problems: string[]): void {
  context.on('weberror', (error) => problems.push(String(error.error())));
  context.on('console', (message) => {
    if (/Content Security Policy|hydrat|Warning:/i.test(message.text())) problems.push(message.text());
  });
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  shared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const service = await startWithPages();
      await use({ service, operator: await service.newSession() });
      await service.close();
    },
    { scope: 'worker' },
  ],
  serviceConfig: [null, { option: true }],
  signedIn: [true, { option: true }],
  service: async ({ shared, serviceConfig }, use) => {
    if (serviceConfig === null) return use(shared.service);
    const service = await startWithPages(serviceConfig);
    await use(service);
    await service.close();
  },
  operator: async ({ shared, service, serviceConfig }, use) => {
    await use(serviceConfig === null ? shared.operator : await service.newSession());
  },
  user: async ({ service }, use) => {
    await use(await service.newSession());
  },
  problems: [
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      const problems: string[] = [];
      await use(problems);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
  baseURL: async ({ service }, use) => use(service.url),
  context: async ({ context, service, user, signedIn, problems }, use) => {
    watch(context, problems);
    await slowDown(context);
    if (signedIn) await signInTo(context, user, service.url);
    await use(context);
    // The context outlives a service of the test.
    await Promise.all(context.pages().map((page) => page.close()));
  },
  open: async ({ browser, contextOptions, viewport, hasTouch, isMobile, service, problems }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async ({ user, url = service.url, ...options } = {}) => {
      const screen = { ...contextOptions, viewport, hasTouch, isMobile, locale: 'en-US', timezoneId: 'UTC' };
      const context = await browser.newContext({ ...screen, baseURL: url, ...options });
      contexts.push(context);
      watch(context, problems);
      await slowDown(context);
      if (user) await signInTo(context, user, url);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});
