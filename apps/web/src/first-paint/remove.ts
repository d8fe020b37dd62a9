/** Removes what was painted first as soon as there is a page, before the browser paints again. @param root of the pages */
export function removeFirstPaint(root: HTMLElement): void {
  const observer = new MutationObserver(() => {
    // Providers add styles before there is a page.
    if ([...root.children].every(({ tagName }) => tagName === 'STYLE')) return;
    observer.disconnect();
    document.querySelector('.start')?.remove();
  });
  observer.observe(root, { childList: true });
}
