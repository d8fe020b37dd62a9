/** Checks a page with axe, in light and in dark, whether it fits the screen, and on a phone the size of its targets. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from './fixtures.ts';
import { expectLargeTargets } from './touch-targets.ts';

const INTEGRATION = createRequire(import.meta.url).resolve('@axe-core/playwright');
/** Run in the page itself: a builder for each check would inject it each time and open a further page. */
const AXE = readFileSync(createRequire(INTEGRATION).resolve('axe-core'), 'utf8');
const COLOR_SCHEMES = ['light', 'dark'] as const;
/** The other rules do not depend on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** @param name of the page or state, for the failure */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const problems: string[] = [];
  await page.evaluate(AXE);
  for (const colorScheme of COLOR_SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const found = await seriousProblems(page, colorScheme === 'light' ? null : COLOR_RULES);
    problems.push(...found.map((problem) => `${name}, ${colorScheme}: ${problem}`));
  }
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (tooWide > 0) problems.push(`${name}, wider than the screen by ${tooWide} px`);
  expect(problems).toEqual([]);
  await expectFit(page, name);
  if (isPhone(page)) await expectLargeTargets(page, name);
}

/** The narrowest and the widest screen that pages must fit. In CSS pixels. */
const EXTREMES = { phone: 320, desktop: 2_560 } as const;
/** Wider screens are no phones. */
const MAX_PHONE = 600;

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) <= MAX_PHONE;

/** Checks that nothing is wider than the most extreme screen of this kind. */
async function expectFit(page: Page, name: string): Promise<void> {
  const size = page.viewportSize();
  if (!size) throw new Error('The page has no size.');
  const width = isPhone(page) ? EXTREMES.phone : EXTREMES.desktop;
  await page.setViewportSize({ ...size, width });
  const excess = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(excess, `${name}, wider than a screen of ${width} px`).toBeLessThanOrEqual(0);
  await page.setViewportSize(size);
}

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

interface WithAxe {
  axe: { run(options: object): Promise<{ violations: Violation[] }> };
}

/** The serious problems of the page, as "rule: elements". @param rules null: all */
async function seriousProblems(page: Page, rules: readonly string[] | null): Promise<string[]> {
  await animationsEnd(page);
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}) };
  const { violations } = await page.evaluate((given) => (window as unknown as WithAxe).axe.run(given), options);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
}

/** Contrast is computed from what is painted, and a fading element has another color. */
async function animationsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
    await Promise.all(finite.map(({ finished }) => finished.catch(() => {})));
  });
}
