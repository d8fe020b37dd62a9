/**
 * The stress mode, `npm run test:e2e -- --slow`: a processor that is six times slower, and random pauses before each request
 * and each action. It finds tests and pages that rely on timing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Locator, Page } from '@playwright/test';

const SLOW = process.env.REELAY_E2E_SLOW === '1';
const CPU_TIMES = 6;
/** Longest pauses, in ms. */
const MAX_REQUEST_MS = 400;
const MAX_ACTION_MS = 250;
const ACTIONS = ['click', 'fill', 'check', 'press', 'hover', 'selectOption', 'setInputFiles', 'focus'] as const;

const randomPause = (longest: number) => pause(Math.random() * longest);

/** Slows down the pages of a context, in the stress mode. */
export async function slowDown(context: BrowserContext): Promise<void> {
  if (!SLOW) return;
  // Tests route requests of a page, and those routes come first.
  await context.route('**/*', async (route) => {
    await randomPause(MAX_REQUEST_MS);
    await route.fallback().catch(() => {});
  });
  context.on('page', (page) => void slowPage(page).catch(() => {}));
}

async function slowPage(page: Page): Promise<void> {
  pauseBefore(Object.getPrototypeOf(page.locator('html')) as Locator);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_TIMES });
}

const patched = Symbol('pauses before each action');

/** @param prototype of all locators */
function pauseBefore(prototype: Locator & { [patched]?: true }): void {
  if (prototype[patched]) return;
  prototype[patched] = true;
  for (const name of ACTIONS) {
    const act = prototype[name] as (...args: unknown[]) => Promise<unknown>;
    Object.assign(prototype, {
      async [name](this: Locator, ...args: unknown[]) {
        await randomPause(MAX_ACTION_MS);
        return act.apply(this, args);
      },
    });
  }
}
