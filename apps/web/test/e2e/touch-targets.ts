/** Finds controls that are too small for a thumb (WCAG 2.2, 2.5.5). */
import { expect, type Page } from './fixtures.ts';

const CONTROLS = [
  ...['button', 'a[href]', 'summary', 'select', 'textarea', 'input:not([type=hidden], [type=file])'],
  ...['option', 'tab', 'radio', 'checkbox', 'switch', 'menuitem', 'menuitemcheckbox'].map((role) => `[role=${role}]`),
].join(', ');

/** The grids of the calendar show many times at once. Its list does the same, with large targets. */
const GRIDS = '[class*=mantine-MonthView], [class*=mantine-WeekView]';

/** Side of the smallest target, in CSS pixels. */
const LEAST_PX = 44;

/**
 * Controls that can be pressed on less than 44 px in width or height. What is clipped or covered does not count; the label
 * of a control does. Links within a sentence may be as high as its lines.
 * @returns their names and sizes
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.locator(CONTROLS).evaluateAll(findSmall, { grids: GRIDS, least: LEAST_PX });
}

/** @param name of the page or state, for the failure */
export async function expectLargeTargets(page: Page, name: string): Promise<void> {
  await expect.poll(() => smallTargets(page), { message: `${name}, targets below ${LEAST_PX} px` }).toEqual([]);
}

/** Runs in the page. */
function findSmall(all: Element[], { grids, least }: { grids: string; least: number }): string[] {
  const isShown = (element: Element) => {
    const { width, height, right } = element.getBoundingClientRect();
    const isPainted = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return isPainted && width > 1 && height > 1 && right > 0 && element.closest(`[inert], ${grids}`) === null;
  };
  const isInSentence = (element: Element) => {
    const around = element.parentElement?.textContent?.trim() ?? '';
    return getComputedStyle(element).display === 'inline' && around !== element.textContent?.trim();
  };
  /** A control, its labels, and the box of a field, whose border belongs to it. */
  const partsOf = (element: Element): Element[] => {
    if (!(element instanceof HTMLInputElement)) return [element];
    const box = element.closest('.mantine-Input-input');
    return [element, ...(element.labels ?? []), ...(box ? [box] : [])];
  };
  /** How far a control can be pressed around the middle of a part, to a pixel; null if something covers it. */
  const reachOf = (part: Element, parts: readonly Element[]) => {
    part.scrollIntoView({ block: 'center', inline: 'nearest' });
    const { x, y, width, height } = part.getBoundingClientRect();
    const isHit = (left: number, top: number) => {
      const hit = document.elementFromPoint(x + width / 2 + left, y + height / 2 + top);
      return parts.some((each) => each.contains(hit));
    };
    if (!isHit(0, 0)) return null;
    const reach = (dx: number, dy: number) => {
      let px = 0;
      while (px < least && isHit(dx * (px + 1), dy * (px + 1))) px++;
      return px;
    };
    return { width: reach(-1, 0) + reach(1, 0) + 1, height: reach(0, -1) + reach(0, 1) + 1 };
  };
  return all
    .filter((element) => isShown(element) && !(element.matches('a') && isInSentence(element)))
    .flatMap((element) => {
      const parts = partsOf(element);
      const reaches = parts.map((part) => reachOf(part, parts)).filter((reach) => reach !== null);
      const [first] = reaches;
      if (!first || reaches.some(({ width, height }) => Math.min(width, height) >= least)) return [];
      const name = element.getAttribute('aria-label') ?? (element.textContent || element.outerHTML.slice(0, 120));
      return [`${name}: ${first.width} × ${first.height}`];
    });
}
