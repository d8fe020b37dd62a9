/** Takes the pictures of scenes in all variants, and checks what is shown. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { launchBrowser } from './browser.ts';
import type { Scene } from './scenes.ts';
import type { Session } from './session.ts';
import type { Filled } from './world.ts';

interface Variant {
  name: string;
  options: BrowserContextOptions;
  /** Whether it is taken of states, too. */
  hasStates: boolean;
  isChecked?: boolean;
}

const narrow = (width: number) => ({ viewport: { width, height: 740 }, hasTouch: true, isMobile: true });
const wide = { viewport: { width: 1280, height: 900 } };

export const VARIANTS: readonly Variant[] = [
  { name: 'light', options: { ...wide, colorScheme: 'light' }, hasStates: true, isChecked: true },
  { name: 'dark', options: { ...wide, colorScheme: 'dark' }, hasStates: true, isChecked: true },
  { name: '360', options: narrow(360), hasStates: true },
  { name: '320', options: narrow(320), hasStates: false },
  { name: '2560', options: { viewport: { width: 2560, height: 1440 } }, hasStates: false },
  { name: 'de', options: { ...wide, locale: 'de-DE' }, hasStates: false },
  { name: 'de-360', options: { ...narrow(360), locale: 'de-DE' }, hasStates: false },
];

export interface Camera {
  /** Takes the scenes. @param filled null before there is data */
  take(scenes: readonly Scene[], session: Session | null, filled: Filled | null): Promise<void>;
  /** Takes the pictures of the documentation as WebP files. */
  takeDocs(scenes: readonly Scene[], session: Session, filled: Filled): Promise<void>;
  /** Opens a page of the signed-in user. */
  open(options: BrowserContextOptions, session: Session | null): Promise<Page>;
  close(): Promise<void>;
}

export interface CameraOptions {
  url: string;
  /** Where the pictures go. */
  folder: string;
  variants: readonly Variant[];
  /** Called for everything that is wrong with a page. */
  onFinding(finding: string): void;
}

/** Time limit of a step, in ms. It only ends a run that hangs. */
const STEP_WITHIN_MS = 20_000;
/** How long a page that keeps loading may delay its picture, in ms. */
const QUIET_WITHIN_MS = 6_000;
/** Elements that are named for each accessibility problem. */
const MAX_ELEMENTS = 3;

export async function openCamera(options: CameraOptions): Promise<Camera> {
  const browser = await launchBrowser();
  return {
    async take(scenes, session, filled) {
      for (const variant of options.variants) {
        const chosen = scenes.filter(({ isState }) => variant.hasStates || !isState);
        const context = await newContext(browser, options.url, variant.options, session);
        const visitors = await newContext(browser, options.url, variant.options, null);
        for (const scene of chosen)
          await takeScene(scene.isPublic ? visitors : context, scene, { ...options, variant, filled });
        await Promise.all([context.close(), visitors.close()]);
      }
    },
    async takeDocs(scenes, session, filled) {
      for (const scene of scenes) {
        const { docs } = scene;
        if (!docs) continue;
        const viewport = { width: docs.width, height: docs.height };
        const context = await newContext(browser, options.url, { viewport, colorScheme: 'light' }, session);
        const page = await context.newPage();
        await showScene(page, scene, options.url, filled);
        await encode(await page.screenshot(), join(options.folder, `${docs.name}.webp`));
        await context.close();
      }
    },
    open: async (given, session) => (await newContext(browser, options.url, given, session)).newPage(),
    close: () => browser.close(),
  };
}

async function newContext(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  session: Session | null,
): Promise<BrowserContext> {
  const given = { locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce', ...options } as const;
  const context = await browser.newContext(given);
  context.setDefaultTimeout(STEP_WITHIN_MS);
  if (session) await context.addCookies(session.cookies().map((cookie) => ({ ...cookie, url })));
  return context;
}

type Shot = CameraOptions & { variant: Variant; filled: Filled | null };

async function takeScene(context: BrowserContext, scene: Scene, shot: Shot): Promise<void> {
  const { variant, filled, folder, onFinding } = shot;
  const report = (finding: string) => onFinding(`${scene.name} (${variant.name}): ${finding}`);
  const page = await context.newPage();
  page.on('pageerror', (error) => report(`threw ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|hydrat|Warning:|MISSING_MESSAGE/i.test(message.text())) report(message.text());
  });
  try {
    await showScene(page, scene, shot.url, filled);
  } catch (error) {
    report(`could not be prepared: ${(error as Error).message.split('\n', 1)[0]}`);
  }
  const overflow = await overflowOf(page);
  if (overflow) report(overflow);
  if (variant.isChecked) for (const problem of await seriousProblems(page)) report(problem);
  if (!scene.isWindow) await showWholePage(page);
  await page.screenshot({ path: join(folder, `${scene.name}.${variant.name}.png`), fullPage: !scene.isWindow });
  await context.setOffline(false);
  await page.close();
}

async function showScene(page: Page, scene: Scene, url: string, filled: Filled | null): Promise<void> {
  await page.goto(url + scene.path, { waitUntil: 'load' });
  await untilQuiet(page);
  if (!scene.prepare || !filled) return;
  await scene.prepare(page, filled);
  await untilQuiet(page);
}

/** Scrolls to the top, and releases what sticks to the window: it would cover the middle of the picture. */
function showWholePage(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.scrollTo(0, 0);
    for (const each of document.querySelectorAll<HTMLElement>('main *'))
      if (getComputedStyle(each).position === 'sticky') each.style.position = 'static';
  });
}

/** Waits until data, pictures and animations are there. */
async function untilQuiet(page: Page): Promise<void> {
  const isComplete = () =>
    document.querySelector('h1, h2, h3') !== null &&
    document.querySelector('.mantine-Loader-root, .mantine-Skeleton-root') === null &&
    [...document.images].every(({ complete, loading }) => complete || loading === 'lazy');
  await page.waitForFunction(isComplete, null, { timeout: QUIET_WITHIN_MS }).catch(() => {});
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))));
}

/** Says which elements make the page scroll sideways; null if none does. */
function overflowOf(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    if (scrollWidth <= window.innerWidth) return null;
    const wide = [...document.querySelectorAll('main *')].filter(
      (each) => each.getBoundingClientRect().right > window.innerWidth + 1,
    );
    const names = wide.slice(-3).map((each) => each.outerHTML.slice(0, 120));
    return `scrolls sideways: ${scrollWidth} of ${window.innerWidth} px: ${names.join(' | ')}`;
  });
}

/** The serious accessibility problems of the page, as "rule: elements". */
async function seriousProblems(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => {
      const elements = nodes.slice(0, MAX_ELEMENTS).map(({ html }) => html.slice(0, 300));
      return `${id}, ${nodes.length} times: ${elements.join(' | ')}`;
    });
}

/** Of 100. Text stays sharp, and a page has less than 150 kB. */
const QUALITY = 82;

async function encode(png: Buffer, path: string): Promise<void> {
  const child = execFile(process.env.FFMPEG_PATH ?? 'ffmpeg', [
    ...['-nostdin', '-v', 'error', '-f', 'png_pipe', '-i', 'pipe:0'],
    ...['-c:v', 'libwebp', '-quality', `${QUALITY}`, '-preset', 'text', '-y', path],
  ]);
  child.stdin?.end(png);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`ffmpeg could not write ${path}.`);
}
