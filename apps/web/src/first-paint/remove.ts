import { PENDING_PAGE } from '../ui/pending-page.ts';

/** How long the first paint stays in front of a frame whose page is loading, in ms. Then the frame can be used. */
const PENDING_MS = 3_000;

/**
 * Removes what was painted first as soon as there is a page, before the browser paints again. Until then it shows more
 * than a frame whose page is loading. @param root of the pages
 */
export function removeFirstPaint(root: HTMLElement): void {
  let patience: ReturnType<typeof setTimeout> | undefined;
  const remove = () => {
    observer.disconnect();
    clearTimeout(patience);
    document.querySelector('.start')?.remove();
  };
  const observer = new MutationObserver(() => {
    // Providers add styles before there is a page.
    if ([...root.children].every(({ tagName }) => tagName === 'STYLE')) return;
    if (root.querySelector(`[${PENDING_PAGE}]`)) patience ??= setTimeout(remove, PENDING_MS);
    else remove();
  });
  observer.observe(root, { childList: true, subtree: true });
}
