/** Measures a page of the dashboard in Chromium. */
import type { launchBrowser } from '../../apps/web/screenshots/browser.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
export type Page = Awaited<ReturnType<Browser['newPage']>>;

/** Opens a page of a signed-in user. @param cookie value of the Cookie header */
export async function openSignedIn(browser: Browser, url: string, cookie: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
  const cookies = cookie.split('; ').map((each) => {
    const [name = '', ...value] = each.split('=');
    return { name, value: value.join('='), url };
  });
  await context.addCookies(cookies);
  return context.newPage();
}

interface LoadedBytes {
  /** Compressed bytes. */
  scripts: number;
  styles: number;
  others: number;
  /** Number of files. */
  files: number;
}

// What runs in the page is text, because the types of a browser are not those of this program.

const LOADED = `(() => {
  const files = performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.startsWith('/app/'));
  const bytes = (entries) => entries.reduce((total, each) => total + each.encodedBodySize, 0);
  const scripts = bytes(files.filter(({ name }) => name.endsWith('.js')));
  const styles = bytes(files.filter(({ name }) => name.endsWith('.css')));
  const document = bytes(performance.getEntriesByType('navigation'));
  return { scripts, styles, others: bytes(files) - scripts - styles + document, files: files.length + 1 };
})()`;

/** The files that the page has loaded. */
export function loadedBytes(page: Page): Promise<LoadedBytes> {
  return page.evaluate<LoadedBytes>(LOADED);
}

/** Bytes of the JavaScript heap after a collection. */
export async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

export const countElements = (page: Page) => page.evaluate<number>(`document.querySelectorAll('*').length`);

export const scrollToTop = (page: Page) => page.evaluate(`window.scrollTo(0, 0)`);

/** Position of the last rendered entry of a long list. */
export const lastRow = (page: Page) =>
  page.evaluate<number>(
    `Math.max(...[...document.querySelectorAll('li[data-index]')].map(({ dataset }) => Number(dataset.index)))`,
  );

interface Scrolled {
  /** Time of each frame in ms. */
  times: number[];
  /** Position at the end, in CSS pixels. */
  top: number;
}

/**
 * Scrolls down by a step in each frame.
 * @param frames number of frames
 * @param step in CSS pixels; 0 measures a page at rest
 */
export function scrollFrames(page: Page, frames: number, step: number): Promise<Scrolled> {
  return page.evaluate<Scrolled>(`new Promise((resolve) => {
    const times = [];
    let before = performance.now();
    const next = (now) => {
      times.push(now - before);
      before = now;
      if (times.length > ${frames}) return resolve({ times: times.slice(1), top: window.scrollY });
      window.scrollBy(0, ${step});
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })`);
}
