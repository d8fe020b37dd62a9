/** What a page shows before its scripts run, and what it requests by then. */
import { expect, type Locator, type Page, test } from './fixtures.ts';

/** The file of the scripts that every page needs. */
const FIRST = /\/assets\/index-[^/]+\.js$/;

/** Opens a page whose scripts arrive when `release` is called. */
async function openHeld(page: Page, path: string): Promise<{ release(): void }> {
  const held = Promise.withResolvers<void>();
  await page.route(FIRST, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return { release: () => held.resolve() };
}

interface Look {
  /** x, y and width in px. */
  place: number[];
  colors: string[];
}

async function lookOf(element: Locator, isBlock = false): Promise<Look> {
  await expect(element).toBeVisible();
  return element.evaluate((found, withWidth) => {
    const { x, y, width } = found.getBoundingClientRect();
    const { color, backgroundColor } = getComputedStyle(found);
    return { place: withWidth ? [x, y, width] : [x, y], colors: [color, backgroundColor] };
  }, isBlock);
}

function expectSame(before: Look, after: Look, what: string): void {
  expect(before.colors, what).toEqual(after.colors);
  expect(before.place.length, what).toBe(after.place.length);
  for (const [index, value] of after.place.entries())
    expect(
      Math.abs((before.place[index] ?? Number.NaN) - value),
      `${what} ${before.place} ${after.place}`,
    ).toBeLessThan(2);
}

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

for (const [name, viewport, colorScheme, locale, posts] of [
  ['a wide screen', WIDE, 'light', 'en-US', 'Posts'],
  ['a wide dark screen', WIDE, 'dark', 'de-DE', 'Beiträge'],
  ['a tablet', { width: 900, height: 900 }, 'light', 'en-US', 'Posts'],
  ['a phone', PHONE, 'light', 'de-DE', 'Beiträge'],
  ['a dark phone', PHONE, 'dark', 'en-US', 'Posts'],
] as const)
  test(`the skeleton does not move on ${name}`, { tag: '@layout' }, async ({ open, user }) => {
    const page = await open({ user, viewport, colorScheme, locale });
    const skeleton = page.locator('.skeleton');
    const current = page.locator('a[aria-current="page"]:visible');
    const { release } = await openHeld(page, '/app/');
    const shown = {
      logo: await lookOf(skeleton.locator('header img')),
      title: await lookOf(skeleton.locator('section > b:visible')),
      drop: await lookOf(skeleton.locator('.drop'), true),
      active: await lookOf(skeleton.locator('[data-name="compose"]:visible'), true),
    };
    release();
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toBeVisible();
    await expect(skeleton).toBeHidden();
    expectSame(shown.logo, await lookOf(page.locator('header img')), 'logo');
    expectSame(shown.title, await lookOf(heading), 'title');
    expectSame(shown.drop, await lookOf(page.locator('main button', { hasText: '9:16' }), true), 'drop');
    expectSame(shown.active, await lookOf(current, true), 'active');

    await page.goto('about:blank');
    const other = await openHeld(page, '/app/posts');
    await expect(skeleton.locator('section > b:visible')).toHaveText(posts, { useInnerText: true });
    const before = await lookOf(skeleton.locator('[data-name="posts"]:visible'), true);
    other.release();
    await expect(page.getByRole('heading', { name: posts, exact: true })).toBeVisible();
    expectSame(before, await lookOf(current, true), 'active');
  });
